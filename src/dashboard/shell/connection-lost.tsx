import { type Query, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { signInUrl } from "../api/client";
import { ApiFailure, isForLong, OtherUser, SignedOut, Unreachable } from "../api/failures";
import { Button } from "../ui/button";
import { words } from "../words";
import { SESSION_KEY } from "./session";
import { signOutElsewhere } from "./sign-out";

const AGAIN_MS = 3_000;

type Trouble = Unreachable | SignedOut;

/**
 * Says that the API is unreachable, or that the session has ended, as long as queries find it so. That it has ended may
 * also be found by a change. While the tab is shown, asks until the API responds, then invalidates all queries.
 */
export function ConnectionLostBanner() {
  const client = useQueryClient();
  const [trouble, setTrouble] = useState<Trouble>();
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ query, type }) => {
        if (type !== "updated") return;
        const { status, fetchStatus } = query.state;
        const found = troubleOf(query);
        if (found) setTrouble(found);
        else if (status === "success" && fetchStatus === "idle") setTrouble(undefined);
      }),
    [client],
  );
  useEffect(
    () =>
      client.getMutationCache().subscribe(({ type, mutation }) => {
        if (type === "updated" && mutation.state.error instanceof SignedOut) setTrouble(mutation.state.error);
      }),
    [client],
  );
  const isTroubled = trouble !== undefined;
  useEffect(() => {
    if (!isTroubled) return;
    const ask = () => {
      // A response may take longer than the interval.
      if (!document.hidden) void client.refetchQueries({ queryKey: SESSION_KEY }, { cancelRefetch: false });
    };
    const timer = setInterval(ask, AGAIN_MS);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
      void client.invalidateQueries();
    };
  }, [client, isTroubled]);
  return (
    <div role="status" className={isTroubled ? "away" : undefined}>
      {trouble ? <Told trouble={trouble} /> : null}
    </div>
  );
}

function troubleOf({ state: { fetchFailureReason } }: Query): Trouble | undefined {
  return fetchFailureReason instanceof Unreachable || fetchFailureReason instanceof SignedOut
    ? fetchFailureReason
    : undefined;
}

function Told({ trouble }: { trouble: Trouble }) {
  if (trouble instanceof Unreachable) return words.shell.away;
  return (
    <>
      {trouble.message}{" "}
      {trouble instanceof OtherUser ? (
        <Button small onClick={signOutElsewhere}>
          {words.shell.signInAgain}
        </Button>
      ) : (
        <a href={signInUrl()} target="_blank" rel="noopener">
          {words.shell.signIn}
        </a>
      )}
    </>
  );
}

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
