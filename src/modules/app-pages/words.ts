/** What the pages of accounts say: one table a language, so that a sentence that is missing somewhere is a type error. */
import type { SsoError } from "@/contract/accounts/sso";
import type { Language } from "@/core/page-languages";
import { accountsDe } from "./words/de";
import { accountsEn } from "./words/en";
import { accountsEs } from "./words/es";
import { accountsFr } from "./words/fr";
import { accountsIt } from "./words/it";
import { accountsNl } from "./words/nl";
import { accountsPt } from "./words/pt";

/** Why a sign-in through an identity provider came to nothing, as far as it changes what a person does next. */
export type SsoReason = "again" | "email" | "provider" | "full" | "failed";

export const SSO_REASONS = {
  state_mismatch: "again",
  sign_in_expired: "again",
  sso_changed: "again",
  provider_unreachable: "provider",
  provider_refused: "provider",
  token_invalid: "provider",
  email_missing: "email",
  email_unproven: "email",
  email_unverified: "email",
  domain_not_allowed: "email",
  registration_closed: "email",
  plan_limit: "full",
  server_error: "failed",
} as const satisfies Record<SsoError, SsoReason>;

/** Holds a heading and the sentence below it. */
export interface AccountMessage {
  title: string;
  text: string;
}

export interface AccountWords {
  dir: "ltr" | "rtl";
  fields: { name: string; email: string; password: string; newPassword: string; organization: string; code: string };
  hints: { password: string; code: string };
  faults: {
    required: string;
    email: string;
    emailTaken: string;
    passwordLength: string;
    passwordWeak: string;
  };
  alerts: {
    /** Above fields that are marked. */
    check: string;
    tooMany: string;
    unavailable: string;
    failed: string;
    forbidden: string;
    /** For a form that was sent from somewhere else. */
    foreign: string;
  };
  /** Of the dashboard, where there is no script. */
  home: { needsScript: string; signedInAs: string; signOut: string };
  signIn: { title: string; button: string; forgotten: string; register: string; wrong: string };
  code: AccountMessage & { button: string; wrong: string; again: string };
  register: { title: string; button: string; signIn: string };
  forgot: AccountMessage & { button: string; sent: AccountMessage; noMail: string };
  reset: { title: string; button: string; over: string; again: string };
  verify: {
    title: string;
    text: string;
    button: string;
    /** Leads to where the password is reset. */
    notMe: string;
    done: AccountMessage;
    over: AccountMessage;
    /** On the page of whoever has yet to confirm. */
    ask: string;
    again: string;
    sent: AccountMessage;
  };
  invite: {
    /** Before the organization's name. */
    title: string;
    text: string;
    register: string;
    signIn: string;
    hasAccount: string;
    hasNone: string;
    over: AccountMessage;
  };
  /** Where the links of earlier mails lead. */
  older: { title: string; reset: string; invite: string };
  done: { signedOut: string; password: string };
  sso: Record<SsoReason, string>;
  /** While a browser that came from elsewhere asks once more. */
  moment: AccountMessage & { goOn: string };
  missing: AccountMessage & { home: string };
  /** Where the dashboard will be. */
  unloaded: { text: string; again: string };
}

const WORDS: Record<Language, AccountWords> = {
  en: accountsEn,
  de: accountsDe,
  fr: accountsFr,
  es: accountsEs,
  pt: accountsPt,
  it: accountsIt,
  nl: accountsNl,
};

export const accountWordsIn = (language: Language): AccountWords => WORDS[language];
