/** The texts of the account pages: one table per language, so that a missing text is a type error. */
import type { SsoError } from "@/contract/accounts/sso";
import type { Language } from "@/core/pages/page-languages";
import { accountsDe } from "./words/de";
import { accountsEn } from "./words/en";
import { accountsEs } from "./words/es";
import { accountsFr } from "./words/fr";
import { accountsIt } from "./words/it";
import { accountsNl } from "./words/nl";
import { accountsPt } from "./words/pt";

/** Why a sign-in through an identity provider failed, as far as it changes what a person does next. */
export type SsoReason =
  | "unknown"
  | "again"
  | "email"
  | "unconfirmed"
  | "closed"
  | "provider"
  | "full"
  | "tooMany"
  | "failed";

export const SSO_REASONS = {
  unknown_start: "unknown",
  state_mismatch: "again",
  sign_in_expired: "again",
  sso_changed: "again",
  provider_unreachable: "provider",
  provider_refused: "provider",
  token_invalid: "provider",
  email_missing: "email",
  email_unproven: "unconfirmed",
  email_unverified: "email",
  domain_not_allowed: "email",
  registration_closed: "closed",
  plan_limit: "full",
  too_many_attempts: "tooMany",
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
    /** Shown above marked fields. */
    check: string;
    /** `wait` says when to try again, as in `waitIn`. */
    tooMany(wait: string): string;
    unavailable: string;
    failed: string;
    forbidden: string;
    /** For a form that was sent from another site. */
    foreign: string;
  };
  /** On the dashboard's page without JavaScript. */
  home: { needsScript: string; signedInAs: string; signOut: string };
  signIn: {
    title: string;
    button: string;
    sso: string;
    /** Links to the page that asks for the organization. */
    ssoOf: string;
    forgotten: string;
    register: string;
    wrong: string;
  };
  /** On the page that asks for the organization whose single sign-on is to be used. */
  ssoStart: { title: string; organization: string; hint: string; button: string; password: string };
  code: AccountMessage & { button: string; wrong: string; again: string };
  register: { title: string; button: string; signIn: string; refused: string };
  forgot: AccountMessage & { button: string; sent: AccountMessage; noMail: string };
  reset: { title: string; button: string; over: string; again: string };
  verify: {
    title: string;
    text: string;
    button: string;
    /** Links to the page that resets the password. */
    notMe: string;
    done: AccountMessage;
    over: AccountMessage;
    /** On the dashboard's page, for a user who has not confirmed yet. */
    ask: string;
    again: string;
    sent: AccountMessage;
  };
  invite: {
    /** Precedes the organization's name. */
    title: string;
    text: string;
    register: string;
    signIn: string;
    hasAccount: string;
    hasNone: string;
    over: AccountMessage;
  };
  /** On the pages that links of earlier mails lead to. */
  older: { title: string; reset: string; invite: string };
  done: { signedOut: string; password: string };
  sso: Record<SsoReason, string>;
  /** Shown while a browser that came from another site reloads the page. */
  moment: AccountMessage & { goOn: string };
  missing: AccountMessage & { home: string };
  /** In the place of the dashboard until it has loaded. */
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
