/** Saves a route, unless somebody else did meanwhile. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ask } from "@/dashboard/api/client";
import { type Link, refreshLinks, type ServedLink } from "@/dashboard/links/queries";
import { useOrg } from "@/dashboard/shell/session";
import { ChangedMeanwhile } from "../saving";
import type { routeChangesOf } from "./draft";

interface Save {
  changes: ReturnType<typeof routeChangesOf>;
  /** Whether the route still is what the changes were made of. */
  isExpected(now: Link): boolean;
}

/** Reads the link again first. Fails with `ChangedMeanwhile` where its route is another one by now. */
export function useSaveRoute(linkId: string) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  const params = { path: { orgId, linkId } };
  return useMutation({
    mutationFn: async ({ changes, isExpected }: Save) => {
      const now = await ask(api.GET("/api/v1/organizations/{orgId}/links/{linkId}", { params }));
      if (!isExpected(now)) throw new ChangedMeanwhile(now);
      return ask(api.PATCH("/api/v1/organizations/{orgId}/links/{linkId}", { params, body: changes }));
    },
    onSuccess: (saved) => {
      client.setQueryData<ServedLink>(
        ["links", orgId, "one", linkId],
        (before) => before && { ...saved, blockers: before.blockers },
      );
      return refreshLinks(client, orgId);
    },
  });
}
