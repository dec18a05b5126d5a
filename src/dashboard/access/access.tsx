/** What a page shows and asks for once the user's role has changed, or their access has ended, elsewhere. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ApiFailure } from "../api/failures";
import { type Org, type OrgRole, SESSION_KEY } from "../shell/session";
import { Screen } from "../ui/layout";
import { toast } from "../ui/toasts";
import { words } from "../words";

/** What the API refuses may no longer be the user's to do or to see. */
const REFUSALS: readonly number[] = [403, 404];
/** Milliseconds for which the session counts as known, whatever is refused. */
const KNOWN_MS = 1_000;

const isRefusal = (error: unknown): boolean => error instanceof ApiFailure && REFUSALS.includes(error.status);

/** Reads the session again when something is refused, and tells the user when their role has changed. */
export function useAccess(org: Org | undefined): void {
  const client = useQueryClient();
  useEffect(() => {
    const look = (error: unknown) => {
      const { dataUpdatedAt = 0, fetchStatus } = client.getQueryState(SESSION_KEY) ?? {};
      if (!isRefusal(error) || fetchStatus === "fetching" || Date.now() - dataUpdatedAt < KNOWN_MS) return;
      void client.invalidateQueries({ queryKey: SESSION_KEY });
    };
    const stops = [
      client.getQueryCache().subscribe(({ type, query }) => type === "updated" && look(query.state.error)),
      client.getMutationCache().subscribe(({ type, mutation }) => type === "updated" && look(mutation.state.error)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client]);
  useToldRole(org);
}

function useToldRole(org: Org | undefined): void {
  const before = useRef<{ orgId: string; role: OrgRole }>(undefined);
  const { _id: orgId, name, role } = org ?? {};
  useEffect(() => {
    const { current } = before;
    if (orgId && role) before.current = { orgId, role };
    if (name && current?.orgId === orgId && current?.role !== role) toast({ text: words.shell.roleChanged(name) });
  }, [orgId, name, role]);
}

/** Returns the organization, also once the session no longer has it. */
export function useLastKnown(org: Org | undefined, slug: string): Org | undefined {
  const [last, setLast] = useState(org);
  if (org && org !== last) setLast(org);
  return org ?? (last?.slug === slug ? last : undefined);
}

/** In place of the screens, if nothing is typed in them. */
export const AccessEndedScreen = ({ org }: { org: Org }) => (
  <Screen title={org.name}>
    <p role="alert">{words.shell.accessEnded(org.name)}</p>
    <p>
      <a href="/app">{words.shell.toStart}</a>
    </p>
  </Screen>
);

/** Above a screen in which something is typed that can no longer be saved. */
export const AccessEndedBanner = ({ org }: { org: Org }) => (
  <div role="alert" className="away">
    {words.shell.accessEnded(org.name)} {words.shell.typedRemains} <a href="/app">{words.shell.toStart}</a>
  </div>
);
