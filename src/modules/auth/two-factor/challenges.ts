/**
 * Sign-ins that wait for their second factor. A challenge is open for five minutes and five attempts, and a right
 * code closes it. The token names the challenge's row and is good for nothing else.
 */
import type { AuthSession } from "@/contract/accounts/auth";
import type { TwoFactorLoginInput, TwoFactorRequired } from "@/contract/accounts/two-factor";
import type { Caller } from "@/http/caller";
import { unauthenticated } from "@/http/errors";
import type { MemberService } from "@/modules/members/service";
import type { Clock } from "@/platform/clock";
import { findUser, type UserRow } from "@/platform/db/accounts/users";
import type { Db } from "@/platform/db/tx";
import { auditAccount } from "../account";
import type { KnownBrowsers } from "../known-browsers";
import { actorOf } from "../present";
import type { Sessions, WithBrowserCookies } from "../sessions/sessions";
import { CHALLENGE_SECONDS, type ChallengeTokens, type TokenClaims } from "../sessions/tokens";
import type { SignInLimits } from "../sign-in-limits";
import * as store from "./challenge-store";
import type { SecondFactor } from "./second-factor";

export interface ChallengesOptions {
  db: Db;
  clock: Clock;
  signInLimits: SignInLimits;
  tokens: ChallengeTokens;
  secondFactor: SecondFactor;
  knownBrowsers: KnownBrowsers;
  sessions: Sessions;
  members: MemberService;
}

type Given = Omit<TwoFactorLoginInput, "challengeToken">;

export type Challenges = ReturnType<typeof createChallenges>;

export function createChallenges(options: ChallengesOptions) {
  const { db, clock, signInLimits, tokens, secondFactor, knownBrowsers, sessions, members } = options;

  return {
    /** Opens a challenge for a user whose password was right. */
    async open(tx: Db, user: UserRow): Promise<TwoFactorRequired> {
      const id = Bun.randomUUIDv7();
      const [now, expiresAt] = [new Date(clock()), new Date(clock() + CHALLENGE_SECONDS * 1000)];
      await store.insertChallenge(tx, { id, userId: user.id, createdAt: now, expiresAt });
      return { twoFactorRequired: true, challengeToken: await tokens.sign({ sub: user.id, sid: id }) };
    },

    /**
     * Completes a sign-in. Throws 401 for a wrong code and for a sign-in that is over, 400 for an invalid invitation,
     * 429.
     */
    async answer(
      { challengeToken, ...given }: TwoFactorLoginInput,
      caller: Caller,
    ): Promise<WithBrowserCookies<AuthSession>> {
      await signInLimits.takeAddress(caller);
      const claims = await tokens.verify(challengeToken);
      if (!claims || !(await store.takeTry(db, claims.sid, claims.sub, new Date(clock())))) throw isOver();
      const session = await complete(claims, given, caller);
      if (!session) throw unauthenticated("The code is wrong or already used");
      return session;
    },
  };

  /**
   * Uses the code, closes the challenge and opens the session in one transaction: if the challenge is already closed,
   * the code stays unused.
   */
  function complete(
    { sub, sid }: TokenClaims,
    { code, inviteToken }: Given,
    caller: Caller,
  ): Promise<WithBrowserCookies<AuthSession> | undefined> {
    return db.transaction(async (tx) => {
      const user = await findUser(tx, sub);
      if (!user?.twoFactorEnabled) throw isOver();
      const invitation = await members.hold(tx, user.email, inviteToken);
      const known = knownBrowsers.idOf(caller.cookies, user);
      const kind = await secondFactor.take(tx, user, code, { ip: caller.ip, known });
      if (!kind) return undefined;
      if (!(await store.closeChallenge(tx, sid, sub, new Date(clock())))) throw isOver();
      if (invitation) await members.accept(tx, user, invitation, actorOf(user, caller));
      if (kind === "recovery") {
        await auditAccount(tx, { userId: sub, actor: actorOf(user, caller) }, { action: "user.recovery_code_use" });
      }
      return sessions.openInBrowser(tx, user, caller);
    });
  }
}

const isOver = () => unauthenticated("This sign-in has expired; start again with your email and password");
