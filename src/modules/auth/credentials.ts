/** Email and password: whose they are, and whether they are still when a session is opened by them. */
import { type Caller, hashPlaceOf } from "@/http/caller";
import { unauthenticated } from "@/http/errors";
import type { Db } from "@/platform/db/tx";
import {
  type HashPlace,
  hashPassword,
  isOutdatedHash,
  verifyNoPassword,
  verifyPassword,
} from "@/platform/passwords/passwords";
import type { KnownBrowsers } from "./known-browsers";
import type { SignInLimits } from "./sign-in-limits";
import * as store from "./store";

export type Credentials = ReturnType<typeof createCredentials>;

export interface CredentialsOptions {
  db: Db;
  signInLimits: SignInLimits;
  knownBrowsers: KnownBrowsers;
}

export function createCredentials({ db, signInLimits, knownBrowsers }: CredentialsOptions) {
  return {
    /**
     * Their user. Throws 401, and 429. An unknown email and an account without a password cost the same time and give
     * the same answer as a wrong password.
     */
    async check(email: string, password: string, caller: Caller): Promise<store.UserRow> {
      const found = await store.findUserByEmail(db, email);
      const known = knownBrowsers.idOf(caller.cookies, found);
      const place = placeOf(caller, known);
      const user = await signInLimits.tryAccount(email, { ip: caller.ip, known }, async () =>
        (await isPasswordOf(found, password, place)) ? found : undefined,
      );
      if (!user) throw areWrong();
      await renewHash(user, password, place);
      return user;
    },

    /**
     * The user as they are now, in the transaction that opens a session: a reset of the password that is under way ends
     * before it and refuses, or begins after it and ends the session. Throws 401.
     */
    async confirm(
      tx: Db,
      { id, passwordHash }: store.UserRow,
      password: string,
      caller: Caller,
    ): Promise<store.UserRow> {
      const user = await store.findUserToStay(tx, id);
      const place = placeOf(caller);
      if (!user || (user.passwordHash !== passwordHash && !(await isPasswordOf(user, password, place))))
        throw areWrong();
      return user;
    },
  };

  /** The password is at hand only now: a hash of another cost is made anew. */
  async function renewHash({ id, passwordHash }: store.UserRow, password: string, place: HashPlace): Promise<void> {
    if (passwordHash && isOutdatedHash(passwordHash))
      await store.replacePasswordHash(db, id, passwordHash, await hashPassword(password, place));
  }
}

/** A browser that is known waits for none of those that are not. */
const placeOf = (caller: Caller, known?: string): HashPlace =>
  known === undefined
    ? hashPlaceOf("sign-in", caller)
    : { purpose: "known-browser", asker: known, signal: caller.signal };

const areWrong = () => unauthenticated("The email or password is wrong");

/** Of nobody, and of a user without one, no password is right; to say so takes as long. */
export const isPasswordOf = (user: store.UserRow | undefined, password: string, place: HashPlace): Promise<boolean> =>
  user?.passwordHash ? verifyPassword(password, user.passwordHash, place) : verifyNoPassword(password, place);
