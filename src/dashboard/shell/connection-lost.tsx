import { type Query, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { signInUrl } from "../api/client";
import { SignedOut, Unreachable } from "../api/failures";
import { words } from "../words";
import { SESSION_KEY } from "./session";

const AGAIN_MS = 3_000;

type Trouble = "away" | "signedOut";

/**
 * Says that the API is unreachable, or that the session has ended, as long as queries find it so. That it has ended may
 * also be found by a change. Retries until it responds, then invalidates all queries.
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
        if (type === "updated" && mutation.state.error instanceof SignedOut) setTrouble("signedOut");
      }),
    [client],
  );
  const isTroubled = trouble !== undefined;
  useEffect(() => {
    if (!isTroubled) return;
    const timer = setInterval(() => void client.refetchQueries({ queryKey: SESSION_KEY }), AGAIN_MS);
    return () => {
      clearInterval(timer);
      void client.invalidateQueries();
    };
  }, [client, isTroubled]);
  return (
    <div role="status" className={isTroubled ? "away" : undefined}>
      {trouble === "away" ? words.shell.away : null}
      {trouble === "signedOut" ? <SignInElsewhere /> : null}
    </div>
  );
}

function troubleOf({ state: { fetchFailureReason } }: Query): Trouble | undefined {
  if (fetchFailureReason instanceof Unreachable) return "away";
  return fetchFailureReason instanceof SignedOut ? "signedOut" : undefined;
}

const SignInElsewhere = () => (
  <>
    {words.ui.signedOut}{" "}
    <a href={signInUrl()} target="_blank" rel="noopener">
      {words.shell.signIn}
    </a>
  </>
);
