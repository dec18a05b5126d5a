/** What a page asks for and says once the user's role has changed, or their access has ended, elsewhere. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { ApiFailure } from "../api/failures";
import { type Org, SESSION_KEY } from "../shell/session";
import { toast } from "../ui/toasts";
import { words } from "../words";

/** What the API refuses may no longer be the user's to do or to see. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.status === 403 || error.status === 404);

/**
 * Reads the session again when something is refused, and tells the user when their role has changed. Returns the
 * organization, also once the session no longer has it.
 */
export function useAccess(org: Org | undefined, slug: string): Org | undefined {
  const client = useQueryClient();
  useEffect(() => {
    const look = (event: object) => {
      const { action, query } = Object(event);
      // Its own refusal would be read again without end.
      if (query?.queryKey !== SESSION_KEY && isRefusal(action?.error))
        void client.invalidateQueries({ queryKey: SESSION_KEY });
    };
    const stops = [client.getQueryCache(), client.getMutationCache()].map((cache) => cache.subscribe(look));
    return () => {
      for (const stop of stops) stop();
    };
  }, [client]);
  const last = useRef(org);
  useEffect(() => {
    if (!org) return;
    const { _id, role } = last.current ?? org;
    last.current = org;
    if (_id === org._id && role !== org.role) toast({ text: words.shell.roleChanged(org.name) });
  }, [org]);
  return org ?? (last.current?.slug === slug ? last.current : undefined);
}
