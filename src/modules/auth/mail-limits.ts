/**
 * Limits how many account mails people can make the service send, mostly without credentials: per requesting network,
 * whoever receives the mails, and per recipient, whoever requests them. Each window begins with its first mail.
 */
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import type { Caller } from "@/http/caller";
import { limitedNetwork } from "@/platform/limits/address";
import type { Limits, LimitVerdict } from "@/platform/limits/limits";
import { hashedEmail } from "./sign-in-limits";

const PER_NETWORK_AN_HOUR = 60;
/** The limits per recipient count each kind of mail separately. */
const PER_EMAIL_AN_HOUR = 3;
const PER_EMAIL_A_DAY = 12;

export interface MailLimits {
  takeNetwork(caller: Pick<Caller, "ip">): Promise<LimitVerdict>;
  /** With `isUrgent`, the mail counts, but the limit per day does not refuse it. */
  takeEmail(kind: string, email: string, isUrgent?: boolean): Promise<LimitVerdict>;
}

export function createMailLimits(limits: Limits): MailLimits {
  const perNetwork = limits.limiter({ name: "account-mails-network", windowMs: HOUR_MS });
  const perHour = limits.limiter({ name: "account-mails-hour", windowMs: HOUR_MS });
  const perDay = limits.limiter({ name: "account-mails-day", windowMs: DAY_MS });
  return {
    takeNetwork: ({ ip }) => perNetwork.take(limitedNetwork(ip ?? ""), PER_NETWORK_AN_HOUR),
    async takeEmail(kind, email, isUrgent = false) {
      const key = `${kind}:${hashedEmail(email)}`;
      const ofHour = await perHour.take(key, PER_EMAIL_AN_HOUR);
      if (!ofHour.ok) return ofHour;
      const ofDay = await perDay.take(key, PER_EMAIL_A_DAY);
      return isUrgent ? ofHour : ofDay;
    },
  };
}
