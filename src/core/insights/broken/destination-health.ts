/**
 * Judges a destination by its response. A page that requires a sign-in, refuses robots or is too busy exists, so 401,
 * 403, 405 and 429 count as ok; 404, 410 and every 5xx mean that there is nothing. Other 4xx blame the request, which
 * may be our fault, and count as ok too.
 *
 * One failure may be chance. A destination is reported as broken after a second consecutive failure at least an hour
 * later.
 */
import { plural } from "@/core/plural";
import { HOUR_MS } from "@/core/time/time-range";

export type DestinationHealth = "ok" | "broken" | "unreachable";

export const healthOf = (httpStatus: number): DestinationHealth =>
  httpStatus === 404 || httpStatus === 410 || httpStatus >= 500 ? "broken" : "ok";

/**
 * True if the URL should be requested again with GET: a server may not support HEAD, which says nothing about the
 * page.
 */
export const isToBeAskedAgain = (headStatus: number): boolean => headStatus >= 400;

export interface CheckState {
  status: DestinationHealth;
  httpStatus: number | null;
  error: string | null;
  /** Unix milliseconds; null while the destination is ok. */
  failingSince: number | null;
  /** Number of consecutive failures. */
  failures: number;
  checkedAt: number;
}

export type CheckOutcome = Pick<CheckState, "status" | "httpStatus" | "error">;

const FAILURES_MIN = 2;
export const APART_MS_MIN = HOUR_MS;

/** Does not count a failure that follows the previous one too soon. */
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

/** Says how a destination failed, and since when. */
export const failureText = ({ url, httpStatus, error, failures, failingSince }: CheckState & { url: string }): string =>
  `${url}: ${httpStatus === null ? (error ?? "no response") : `HTTP ${httpStatus}`}, ` +
  `${plural(failures, "failed check")} in a row, at least an hour apart, since ` +
  `${new Date(failingSince ?? 0).toISOString()}`;

/** True if one failure is not enough to judge, so the destination should be checked again sooner than others. */
export const isInDoubt = ({ failures }: Pick<CheckState, "failures">): boolean =>
  failures > 0 && failures < FAILURES_MIN;
