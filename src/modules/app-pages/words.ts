/** What the pages of accounts say: one table a language, so that a sentence that is missing somewhere is a type error. */
import type { SsoError } from "@/contract/accounts/sso";
import type { Language } from "@/pages/languages";
import { de } from "./words/de";
import { en } from "./words/en";
import { es } from "./words/es";
import { fr } from "./words/fr";
import { it } from "./words/it";
import { nl } from "./words/nl";
import { pt } from "./words/pt";

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
export interface Said {
  title: string;
  text: string;
}

export interface Words {
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
  home: Said & { signedInAs: string; organizations: string; signOut: string };
  signIn: { title: string; button: string; forgotten: string; register: string; wrong: string };
  code: Said & { button: string; wrong: string; again: string };
  register: { title: string; button: string; signIn: string };
  forgot: Said & { button: string; sent: Said; noMail: string };
  reset: { title: string; button: string; over: string; again: string };
  verify: {
    title: string;
    text: string;
    button: string;
    /** Leads to where the password is reset. */
    notMe: string;
    done: Said;
    over: Said;
    /** On the page of whoever has yet to confirm. */
    ask: string;
    again: string;
    sent: Said;
  };
  invite: {
    /** Before the organization's name. */
    title: string;
    text: string;
    register: string;
    signIn: string;
    hasAccount: string;
    hasNone: string;
    over: Said;
  };
  /** Where the links of earlier mails lead. */
  older: { title: string; reset: string; invite: string };
  done: { signedOut: string; password: string };
  sso: Record<SsoReason, string>;
  /** While a browser that came from elsewhere asks once more. */
  moment: Said & { goOn: string };
  missing: Said & { home: string };
}

const WORDS: Record<Language, Words> = { en, de, fr, es, pt, it, nl };

export const wordsIn = (language: Language): Words => WORDS[language];
