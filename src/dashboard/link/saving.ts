/** Saves a link based on the version read, and then refreshes the link queries. */
import { useQueryClient } from "@tanstack/react-query";
import { api, askTagged, ifMatch } from "../api/client";
import { unlessChanged } from "../drafts/changed-meanwhile";
import { type EditedLink, type Link, type LinkChanges, readLink, refreshLinks } from "../links/queries";
import { useOrg } from "../shell/session";

export function useSavingLink({ _id: linkId }: Link) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  const path = { orgId, linkId };
  return {
    /** Rejects with `ChangedMeanwhile` if the link is no longer the version in `over`. */
    save(body: LinkChanges, over?: EditedLink): Promise<EditedLink> {
      const params = { path, ...(over && { header: ifMatch(over) }) };
      const saved = askTagged(api.PATCH("/api/v1/organizations/{orgId}/links/{linkId}", { params, body }));
      return unlessChanged(saved, () => readLink(orgId, linkId));
    },
    refresh: () => refreshLinks(client, orgId),
  };
}
