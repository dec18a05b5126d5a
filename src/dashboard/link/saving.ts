/** Saves a link based on the version read, and then refreshes the link queries. */
import { useQueryClient } from "@tanstack/react-query";
import { api, ifMatch, unwrapWithEtag } from "../api/client";
import { rejectOnConflict } from "../drafts/edit-conflict";
import { type EditedLink, type Link, type LinkChanges, readLink, refreshLink } from "../links/queries";
import { useOrg } from "../shell/session";

export function useSavingLink({ _id: linkId }: Link) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  const path = { orgId, linkId };
  return {
    /** Rejects with `EditConflict` if the link is no longer the version in `over`. */
    save(body: LinkChanges, over: EditedLink): Promise<EditedLink> {
      const params = { path, header: ifMatch(over) };
      const saved = unwrapWithEtag(api.PATCH("/api/v1/organizations/{orgId}/links/{linkId}", { params, body }));
      return rejectOnConflict(saved, () => readLink(orgId, linkId));
    },
    refresh: () => refreshLink(client, orgId, linkId),
  };
}
