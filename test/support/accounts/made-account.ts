/**
 * Accounts as a registration leaves them, without its work: a request, a session's signer and what else it does thousands of
 * times over all tests. Every account has one password. Registering itself is tested over HTTP.
 */
import type { Config } from "@/config";
import { createKnownBrowsers } from "@/modules/auth/known-browsers";
import { actorOf } from "@/modules/auth/present";
import { createSessions } from "@/modules/auth/sessions/sessions";
import { createSessionTokens, type SessionTokens } from "@/modules/auth/sessions/tokens";
import { insertUser } from "@/modules/auth/store";
import { createOrganizationService } from "@/modules/organizations/service";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import { openKeys } from "@/platform/keys";
import { COST } from "@/platform/passwords/cost";
import { routingChanges } from "@/platform/routing-changes";

const PASSWORD = "a long passphrase that all test accounts have";
const CALLER = { ip: "10.0.0.1", userAgent: "Bun test" };

/** By the settings of the service that accepts them: a signer is worth some 3 ms of a core, too. */
const signers = new WeakMap<Config, Promise<SessionTokens>>();
const signersOf = async (config: Config) => createSessionTokens(await openKeys(config));

export interface Newcomer {
  name: string;
  email: string;
  organizationName: string;
}

export interface Home {
  db: Drizzle;
  config: Config;
  clock: Clock;
}

export async function makeAccount({ db, config, clock }: Home, { name, email, organizationName }: Newcomer) {
  const tokens = await signers.getOrInsertComputed(config, signersOf);
  const [keys, now] = [await openKeys(config), new Date(clock())];
  // At the service's own cost: it would renew any other at the first sign-in.
  const passwordHash = await Bun.password.hash(PASSWORD, { algorithm: "argon2id", ...COST });
  const changeRouting = routingChanges(
    db,
    async () => undefined,
    () => undefined,
  );
  const organizations = createOrganizationService({ db, clock, defaultPlan: config.defaultPlan, changeRouting });
  const knownBrowsers = createKnownBrowsers({ keys, clock, isSecure: false });
  const sessions = createSessions({ clock, tokens, organizations, knownBrowsers });
  const user = {
    ...{ id: Bun.randomUUIDv7(), name, email, passwordHash, addressHeldUntil: null },
    ...{ twoFactorEnabled: false, totpSecret: null, totpLastStep: null, createdAt: now, updatedAt: now },
  };
  const session = await db.transaction(async (tx) => {
    await insertUser(tx, user);
    await organizations.create(tx, organizationName, user.id, actorOf(user, CALLER));
    return sessions.open(tx, user, CALLER);
  });
  return { session, password: PASSWORD };
}
