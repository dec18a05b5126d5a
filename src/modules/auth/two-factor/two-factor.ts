/** Two-factor of an account: set up, enabled with a first code, disabled with the password and a code. */
import type {
  DisableTwoFactorInput,
  TwoFactorEnabled,
  TwoFactorSetup,
  TwoFactorStatus,
} from "@/contract/accounts/two-factor";
import type { SignedIn } from "@/http/access";
import { hashPlaceOf } from "@/http/caller";
import { conflict, invalid, unauthenticated } from "@/http/errors";
import type { Clock } from "@/platform/clock";
import { findUser, type UserRow } from "@/platform/db/accounts/users";
import type { Db } from "@/platform/db/tx";
import { auditAccount, requirePasswordSession } from "../account";
import { isPasswordOf } from "../credentials";
import type { AddressRules } from "../email-proof/address-rules";
import type { Sessions } from "../sessions/sessions";
import type { SignInAttempter, SignInLimits } from "../sign-in-limits";
import { deleteRecoveryCodes, replaceRecoveryCodes } from "./recovery-codes";
import type { SecondFactor } from "./second-factor";
import * as store from "./store";
import { makeSeed, otpauthUrl } from "./totp";

export interface TwoFactorOptions {
  db: Db;
  clock: Clock;
  signInLimits: SignInLimits;
  secondFactor: SecondFactor;
  sessions: Sessions;
  rules: AddressRules;
}

export type TwoFactor = ReturnType<typeof createTwoFactor>;

export function createTwoFactor(options: TwoFactorOptions) {
  const { db, clock, signInLimits, secondFactor, sessions, rules } = options;
  const now = () => new Date(clock());

  return {
    /** Throws 403 for a single sign-on session. */
    async status(signedIn: SignedIn): Promise<TwoFactorStatus> {
      requirePasswordSession(signedIn);
      const user = await existing(db, signedIn);
      return { enabled: user.twoFactorEnabled };
    },

    /** Replaces an unconfirmed secret. Throws 403 for single sign-on or an unproven address, 409 if already enabled. */
    async setup(signedIn: SignedIn): Promise<TwoFactorSetup> {
      requirePasswordSession(signedIn);
      const user = await existing(db, signedIn);
      rules.checkProven(user);
      const { id, email } = user;
      const secret = await makeSeed();
      if (!(await store.putSeed(db, id, secondFactor.sealSeed(id, secret), now()))) throw enabledAlready();
      const url = await otpauthUrl(secret, email);
      return { secret, qrCodeDataUrl: await pictureOf(url), otpauthUrl: url };
    },

    /**
     * Enables two-factor with a code of the seed that was set up. Ends the user's access tokens and other sessions,
     * which were opened without a second factor. Throws 403 for a single sign-on session or an unproven address, 409
     * if already enabled, 400 for a wrong code or if nothing was set up.
     */
    async enable(signedIn: SignedIn, code: string): Promise<TwoFactorEnabled> {
      requirePasswordSession(signedIn);
      const user = await existing(db, signedIn);
      rules.checkProven(user);
      if (user.twoFactorEnabled) throw enabledAlready();
      if (!user.totpSecret) throw invalid(["code: nothing to confirm yet; set up two-factor first"]);
      const step = await secondFactor.matchingStep(user, code);
      if (step === undefined) throw invalid([WRONG_CODE]);
      return db.transaction(async (tx) => {
        if (!(await store.enable(tx, user, step, now()))) throw changedMeanwhile();
        const recoveryCodes = await replaceRecoveryCodes(tx, user.id);
        await sessions.endAll(tx, user.id, signedIn.sessionId);
        await auditAccount(tx, signedIn, { action: "user.two_factor_enable", changes: switched(true) });
        return { enabled: true, recoveryCodes };
      });
    },

    /**
     * Disables two-factor and ends all sessions and access tokens, this session too. Throws 403 for a single sign-on
     * session, 400 for a missing or wrong password or code, 409 if not enabled, 429 so that a stolen session cannot
     * guess either.
     */
    async disable(signedIn: SignedIn, { password, code }: DisableTwoFactorInput): Promise<TwoFactorStatus> {
      requirePasswordSession(signedIn);
      const missing = Object.entries({ password, code }).filter(([, value]) => value === undefined);
      if (missing.length > 0) throw invalid(missing.map(([field]) => `${field}: required`));
      const user = await existing(db, signedIn);
      if (!user.twoFactorEnabled) throw conflict("Two-factor is not enabled");
      let fault = "password: wrong";
      const by = { ip: signedIn.actor.ip, known: `session ${signedIn.sessionId}` };
      const disabled = await signInLimits.tryAccount(user.email, by, async () => {
        const place = hashPlaceOf("sign-in", { ip: signedIn.actor.ip, signal: signedIn.signal });
        if (!(await isPasswordOf(user, password ?? "", place))) return undefined;
        fault = WRONG_CODE;
        return disableWith(options, signedIn, user, code ?? "", by);
      });
      if (!disabled) throw invalid([fault]);
      return disabled;
    },
  };
}

/** Returns undefined for a wrong code. Throws 409. */
function disableWith(
  { db, clock, secondFactor, sessions }: TwoFactorOptions,
  signedIn: SignedIn,
  user: UserRow,
  code: string,
  by: SignInAttempter,
): Promise<TwoFactorStatus | undefined> {
  return db.transaction(async (tx) => {
    if (!(await secondFactor.take(tx, user, code, by))) return undefined;
    if (!(await store.disable(tx, user, new Date(clock())))) throw changedMeanwhile();
    await deleteRecoveryCodes(tx, user.id);
    await sessions.endAll(tx, user.id);
    await auditAccount(tx, signedIn, { action: "user.two_factor_disable", changes: switched(false) });
    return { enabled: false };
  });
}

const pictureOf = async (url: string): Promise<string> => (await import("qrcode")).toDataURL(url);

async function existing(db: Db, { userId }: SignedIn): Promise<UserRow> {
  const user = await findUser(db, userId);
  if (!user) throw unauthenticated();
  return user;
}

const WRONG_CODE = "code: wrong or already used";

const switched = (isOn: boolean) => ({ twoFactorEnabled: { from: !isOn, to: isOn } });

const enabledAlready = () => conflict("Two-factor is already enabled; disable it first to set it up again");
const changedMeanwhile = () => conflict("Two-factor was changed at the same time; check its status and try again");
