/**
 * Creates accounts in the state that a registration leaves them in, without its cost: a request, a signer for the
 * session and more, thousands of times in all tests. All accounts share one password. Registration itself is tested
 * over HTTP.
 */
import type { Config } from "@/config";
import { createAddressRules } from "@/modules/auth/email-proof/address-rules";
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

/** Session signers by the service's configuration, cached because creating one takes about 3 ms of a core. */
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
  // The service's own cost, because the service rehashes any other hash at the first sign-in.
  const passwordHash = await Bun.password.hash(PASSWORD, { algorithm: "argon2id", ...COST });
  const changeRouting = routingChanges(
    db,
    async () => undefined,
    () => undefined,
  );
  const organizations = createOrganizationService({ db, clock, defaultPlan: config.defaultPlan, changeRouting });
  const knownBrowsers = createKnownBrowsers({ keys, clock, isSecure: false });
  const rules = createAddressRules({ clock, asksProof: false });
  const sessions = createSessions({ clock, tokens, organizations, knownBrowsers, rules });
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
