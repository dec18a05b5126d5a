/**
 * What an answer says of a destination. A page that asks a person to sign in, refuses robots or is too busy is there, so 401,
 * 403, 405 and 429 are well; 404, 410 and every 5xx say that there is nothing. Other 4xx are told to a client that asked
 * wrongly, as ours may have, and are well too.
 *
 * One failure may be chance. It is told of as broken once a second one in a row has come at least an hour later.
 */
import { HOUR_MS } from "@/core/time/time-range";

export type DestinationHealth = "ok" | "broken" | "unreachable";

export const healthOf = (httpStatus: number): DestinationHealth =>
  httpStatus === 404 || httpStatus === 410 || httpStatus >= 500 ? "broken" : "ok";

/** Methods that a server may not know say nothing of the page: it is asked for by GET then. */
export const isToBeAskedAgain = (headStatus: number): boolean => headStatus >= 400;

export interface CheckState {
  status: DestinationHealth;
  httpStatus: number | null;
  error: string | null;
  /** Unix milliseconds; null while it is well. */
  failingSince: number | null;
  /** Counts failures in a row. */
  failures: number;
  checkedAt: number;
}

export type CheckOutcome = Pick<CheckState, "status" | "httpStatus" | "error">;

const FAILURES_MIN = 2;
export const APART_MS_MIN = HOUR_MS;

/** A failure that comes too soon after the former is not another one. */
export function nextState(before: CheckState | undefined, outcome: CheckOutcome, now: number): CheckState {
  if (outcome.status === "ok") return { ...outcome, failingSince: null, failures: 0, checkedAt: now };
  const { failures = 0, failingSince = null, checkedAt = 0 } = before ?? {};
  const isFirst = failingSince === null;
  const counts = isFirst || now - checkedAt >= APART_MS_MIN;
  return {
    ...outcome,
    failingSince: isFirst ? now : failingSince,
    failures: isFirst ? 1 : failures + (counts ? 1 : 0),
    checkedAt: isFirst || counts ? now : checkedAt,
  };
}

export const isDead = ({ status, failures }: Pick<CheckState, "status" | "failures">): boolean =>
  status !== "ok" && failures >= FAILURES_MIN;

/** Whether it is too early to tell, so that it should be asked for again sooner than others. */
export const isInDoubt = ({ failures }: Pick<CheckState, "failures">): boolean =>
  failures > 0 && failures < FAILURES_MIN;
