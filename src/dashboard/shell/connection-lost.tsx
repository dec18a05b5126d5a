import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Unreachable } from "../api/failures";
import { words } from "../words";
import { SESSION_KEY } from "./session";

const AGAIN_MS = 3_000;

/**
 * Shows that the API is unreachable as long as queries find it so. Retries until it responds, then invalidates all
 * queries.
 */
export function ConnectionLostBanner() {
  const client = useQueryClient();
  const [isAway, setAway] = useState(false);
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ query, type }) => {
        if (type !== "updated") return;
        const { fetchFailureReason, status, fetchStatus } = query.state;
        if (fetchFailureReason instanceof Unreachable) setAway(true);
        else if (status === "success" && fetchStatus === "idle") setAway(false);
      }),
    [client],
  );
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(() => void client.refetchQueries({ queryKey: SESSION_KEY }), AGAIN_MS);
    return () => {
      clearInterval(timer);
      void client.invalidateQueries();
    };
  }, [client, isAway]);
  return (
    <div role="status" className={isAway ? "away" : undefined}>
      {isAway ? words.shell.away : null}
    </div>
  );
}
