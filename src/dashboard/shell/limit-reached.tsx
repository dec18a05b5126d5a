import { type Query, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { ApiFailure, isForLong } from "../api/failures";
import { words } from "../words";

const TOO_MANY = 429;
/** Their screens say it themselves. */
const TELLING: readonly unknown[] = ["analytics", "assistant", "clicks"];

/** Says that what is not shown yet waits for the plan's rate limit: a screen would seem to load for a minute. */
export function LimitReached() {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const seconds = useSyncExternalStore(
    (onChange) => cache.subscribe(onChange),
    () => Math.max(0, ...cache.findAll({ type: "active", fetchStatus: "fetching" }).map(waitOf)),
  );
  return (
    <div role="status" className={seconds > 0 ? "away" : undefined}>
      {seconds > 0 ? words.shell.limited(seconds) : null}
    </div>
  );
}

function waitOf({ queryKey, state: { data, fetchFailureReason: reason } }: Query): number {
  const isWaiting = data === undefined && !TELLING.includes(queryKey[0]);
  if (!isWaiting || !(reason instanceof ApiFailure) || reason.status !== TOO_MANY || isForLong(reason)) return 0;
  return reason.retryAfterSeconds ?? 0;
}
