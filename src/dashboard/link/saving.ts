/** How a link is saved: what it takes to be sure that nobody else has changed it, and what asks again afterwards. */
import { useQueryClient } from "@tanstack/react-query";
import { api, ask } from "../api/client";
import { ChangedMeanwhile } from "../drafts/changed-meanwhile";
import { type Link, type LinkChanges, refreshLinks } from "../links/queries";
import { useOrg } from "../shell/session";

export function useSavingLink({ _id: linkId }: Link) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  const params = { path: { orgId, linkId } };
  return {
    /** Rejects with `ChangedMeanwhile` where it no longer is as it was in `over`. */
    async save(body: LinkChanges, over?: Link): Promise<Link> {
      if (over) {
        const now = await ask(api.GET("/api/v1/organizations/{orgId}/links/{linkId}", { params }));
        if (now.updatedAt !== over.updatedAt) throw new ChangedMeanwhile(now);
      }
      return ask(api.PATCH("/api/v1/organizations/{orgId}/links/{linkId}", { params, body }));
    },
    refresh: () => refreshLinks(client, orgId),
  };
}
