/**
 * Accounts as a registration leaves them, without its password's hash: that takes some 20 ms of a core, thousands of times
 * over all tests, so one hash is made a process and every account has its password. Registering itself is tested over HTTP.
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
import { routingChanges } from "@/platform/routing-changes";

const PASSWORD = "a long passphrase that all test accounts have";
/** At the cost of the service's own, which it would otherwise renew at the first sign-in. */
const COST = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
const CALLER = { ip: "10.0.0.1", userAgent: "Bun test" };

let hash: Promise<string> | undefined;
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
  hash ??= Bun.password.hash(PASSWORD, COST);
  const tokens = await signers.getOrInsertComputed(config, signersOf);
  const [keys, passwordHash, now] = [await openKeys(config), await hash, new Date(clock())];
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
