/** Saves what was edited, unless somebody else has changed the same link meanwhile: then what was typed stays. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ask } from "../api/client";
import { type Link, type LinkChanges, refreshLinks } from "../links/queries";
import { useOrg } from "../shell/session";

/** Somebody else saved the link after it was read here. */
export class ChangedMeanwhile extends Error {
  override name = "ChangedMeanwhile";

  constructor(readonly now: Link) {
    super("Changed by someone else");
  }
}

interface Saving {
  changes: LinkChanges;
  /** Whatever others have changed. */
  isForced?: boolean;
}

export function useSaveLink(link: Link) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  const params = { path: { orgId, linkId: link._id } };
  return useMutation({
    async mutationFn({ changes: body, isForced }: Saving) {
      if (!isForced) {
        const now = await ask(api.GET("/api/v1/organizations/{orgId}/links/{linkId}", { params }));
        if (now.updatedAt !== link.updatedAt) throw new ChangedMeanwhile(now);
      }
      return ask(api.PATCH("/api/v1/organizations/{orgId}/links/{linkId}", { params, body }));
    },
    onSuccess: () => refreshLinks(client, orgId),
  });
}
