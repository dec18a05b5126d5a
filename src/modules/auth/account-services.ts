/**
 * Assembles the account services: sessions, access tokens, sign-in with its second factor, address proof and password
 * reset.
 */
import { createSessionCookie } from "@/http/session-cookie";
import type { MemberService } from "@/modules/members/service";
import type { OrganizationService } from "@/modules/organizations/service";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import type { Keys } from "@/platform/keys";
import type { Limits } from "@/platform/limits/limits";
import type { Mailer } from "@/platform/mail";
import type { Seal } from "@/platform/seal";
import type { Log } from "@/platform/telemetry/log";
import { createAccessTokens } from "./access-tokens/service";
import { noteAccessTokenUse } from "./access-tokens/store";
import { type CredentialUseOptions, createCredentialUse } from "./credential-use";
import { createCredentials } from "./credentials";
import type { AddressRules } from "./email-proof/address-rules";
import { createEmailProof } from "./email-proof/email-proof";
import { createKnownBrowsers } from "./known-browsers";
import { createMailLimits } from "./mail-limits";
import { createPasswordReset } from "./password-reset/password-reset";
import { createPrincipals } from "./principals";
import type { RegistrationRules } from "./registration";
import { createAuthService } from "./service";
import { createSessions } from "./sessions/sessions";
import { noteSessionUse } from "./sessions/store";
import { createChallengeTokens, createEmailTokens, createSessionTokens } from "./sessions/tokens";
import { createSignInLimits } from "./sign-in-limits";
import { createChallenges } from "./two-factor/challenges";
import { createSecondFactor } from "./two-factor/second-factor";
import { createTwoFactor } from "./two-factor/two-factor";

export interface AccountParts {
  db: Drizzle;
  clock: Clock;
  log: Log;
  keys: Keys;
  seal: Seal;
  limits: Limits;
  organizations: OrganizationService;
  members: MemberService;
  /** Null without `SMTP_URL`. */
  mailer: Mailer | null;
  rules: AddressRules;
  registration: RegistrationRules;
  /** The origin that serves the service's own pages. */
  serviceUrl: string;
  /** Whether the service is reached over HTTPS. */
  isSecure: boolean;
}

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts(parts: AccountParts) {
  const { db, clock, log, keys, seal, limits, organizations, members, mailer, rules } = parts;
  const { registration, serviceUrl, isSecure } = parts;
  const tokens = createSessionTokens(keys);
  const knownBrowsers = createKnownBrowsers({ keys, clock, isSecure });
  const sessions = createSessions({ clock, tokens, organizations, knownBrowsers, rules });
  const signInLimits = createSignInLimits(limits);
  const secondFactor = createSecondFactor({ clock, seal, limits, log });
  const challengeTokens = createChallengeTokens(keys);
  const challenges = createChallenges({
    ...{ db, clock, signInLimits, secondFactor, knownBrowsers, sessions, members },
    tokens: challengeTokens,
  });
  const credentials = createCredentials({ db, signInLimits, knownBrowsers });
  const mailLimits = createMailLimits(limits);
  const shared = { db, clock, sessions, signInLimits, rules };
  const emailProof = createEmailProof({
    ...{ db, rules, mailLimits, signInLimits, mailer, serviceUrl },
    tokens: createEmailTokens(keys),
  });
  const useOf = (write: CredentialUseOptions["write"]) => createCredentialUse({ db, clock, log, write });
  const accessTokens = createAccessTokens({ db, clock, use: useOf(noteAccessTokenUse) });
  return {
    cookie: createSessionCookie(isSecure),
    principals: createPrincipals({ db, clock, tokens, sessionUse: useOf(noteSessionUse), accessTokens }),
    accessTokens,
    sessions,
    signInLimits,
    challenges,
    twoFactor: createTwoFactor({ ...shared, secondFactor }),
    auth: createAuthService({ ...shared, credentials, challenges, organizations, members, emailProof, registration }),
    emailProof,
    passwordReset: createPasswordReset({ ...shared, mailLimits, mailer, serviceUrl }),
  };
}
