/** Checks an email and password, and checks them again in the transaction that opens a session. */
import { type Caller, hashPlaceOf } from "@/http/caller";
import { unauthenticated } from "@/http/errors";
import { findUserByEmail, type UserRow } from "@/platform/db/accounts/users";
import type { Db } from "@/platform/db/tx";
import { storedEmail } from "@/platform/hosts/email-address";
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
     * Returns the user with these credentials; the email may be in any spelling. Throws 401 and 429. An unknown email
     * and an account without a password take the same time and get the same response as a wrong password.
     */
    async check(email: string, password: string, caller: Caller): Promise<UserRow> {
      const found = await findUserByEmail(db, email);
      const known = knownBrowsers.idOf(caller.cookies, found);
      const place = placeOf(caller, known);
      const user = await signInLimits.tryAccount(storedEmail(email), { ip: caller.ip, known }, async () =>
        (await isPasswordOf(found, password, place)) ? found : undefined,
      );
      if (!user) throw areWrong();
      await renewHash(user, password, place);
      return user;
    },

    /**
     * Returns the user's current row, locked, in the transaction that opens a session. A concurrent password reset
     * either commits first, and this throws, or starts afterwards and ends the session. Throws 401.
     */
    async confirm(tx: Db, { id, passwordHash }: UserRow, password: string, caller: Caller): Promise<UserRow> {
      const user = await store.findUserForShare(tx, id);
      const place = placeOf(caller);
      if (!user || (user.passwordHash !== passwordHash && !(await isPasswordOf(user, password, place))))
        throw areWrong();
      return user;
    },
  };

  /** Replaces a hash of an outdated cost. Only a sign-in has the plain password to do so. */
  async function renewHash({ id, passwordHash }: UserRow, password: string, place: HashPlace): Promise<void> {
    if (passwordHash && isOutdatedHash(passwordHash))
      await store.replacePasswordHash(db, id, passwordHash, await hashPassword(password, place));
  }
}

/** Gives each known browser a share of its own, so that it does not wait behind unknown ones. */
const placeOf = (caller: Caller, known?: string): HashPlace =>
  known === undefined
    ? hashPlaceOf("sign-in", caller)
    : { purpose: "known-browser", asker: known, signal: caller.signal };

const areWrong = () => unauthenticated("The email or password is wrong");

/**
 * Reports whether the password is the user's. Without a user, or for one without a password, it takes the same time
 * and returns false.
 */
export const isPasswordOf = (user: UserRow | undefined, password: string, place: HashPlace): Promise<boolean> =>
  user?.passwordHash ? verifyPassword(password, user.passwordHash, place) : verifyNoPassword(password, place);
