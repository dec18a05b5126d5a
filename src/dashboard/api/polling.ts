/**
 * When to read again what proceeds by itself, such as an import: soon at first, then less and less often, because every
 * request counts towards the plan's limit. A hidden tab reads nothing; the library reads again when it is shown.
 */
import type { Query } from "@tanstack/react-query";
import { useRef } from "react";
import { ApiFailure, isForLong } from "./failures";

const GROWTH = 1.5;
const TOO_MANY = 429;

interface Pace {
  /** Milliseconds until the first read and between the last ones. */
  firstMs?: number;
  longestMs?: number;
}

type Shown<Data> = Pick<Query<Data>, "state">;

/** Returns the `refetchInterval` of a query that is read again as long as `proceeds` holds for what was read last. */
export function usePolling<Data>(
  proceeds: (data: Data) => boolean,
  { firstMs = 1_000, longestMs = 10_000 }: Pace = {},
): (query: Shown<Data>) => number | false {
  const readsBefore = useRef<number>(undefined);
  return ({ state: { data, error, dataUpdateCount, errorUpdateCount } }) => {
    if (data === undefined || !proceeds(data)) {
      readsBefore.current = undefined;
      return false;
    }
    const reads = dataUpdateCount + errorUpdateCount;
    readsBefore.current ??= reads;
    return waitAfter(error, Math.min(longestMs, firstMs * GROWTH ** (reads - readsBefore.current)));
  };
}

/** What was refused is read again only if waiting helps. */
function waitAfter(error: unknown, ms: number): number | false {
  if (!(error instanceof ApiFailure)) return ms;
  if (isForLong(error) || (error.status < 500 && error.status !== TOO_MANY)) return false;
  return Math.max(ms, (error.retryAfterSeconds ?? 0) * 1_000);
}
