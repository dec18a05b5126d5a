/** Changes the selected links in as few requests as the API allows. */
import { useQueryClient } from "@tanstack/react-query";
import { useChange } from "../api/changes";
import { api, type Schemas, unwrap } from "../api/client";
import { failureText } from "../api/failures";
import { forgetDraftsOf } from "../drafts/kept-draft";
import { useOrg } from "../shell/session";
import { toast } from "../ui/toasts";
import { words } from "../words";
import { refreshLinks } from "./queries";

/** Limit of the API. */
const IDS_MAX = 1_000;

type Changes = Schemas["BulkUpdateInput"]["changes"];

interface Outcome {
  done: number;
  failed: number;
}

async function inChunks(ids: readonly string[], send: (ids: string[]) => Promise<Outcome>): Promise<Outcome> {
  const sum = { done: 0, failed: 0 };
  for (let start = 0; start < ids.length; start += IDS_MAX) {
    const { done, failed } = await send(ids.slice(start, start + IDS_MAX));
    sum.done += done;
    sum.failed += failed;
  }
  return sum;
}

export function useBulk() {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  const params = { path: { orgId } };
  const settled = {
    onSettled: () => refreshLinks(client, orgId),
    onError: (error: unknown) => toast({ text: failureText(error), isFailure: true }),
  };
  const tell = ({ done, failed }: Outcome, said: (count: number) => string) => {
    if (done > 0) toast({ text: said(done) });
    if (failed > 0) toast({ text: words.links.selection.failed(failed), isFailure: true });
  };
  return {
    change: useChange({
      ...settled,
      mutationFn: (asked: { ids: readonly string[]; changes: Changes }) =>
        inChunks(asked.ids, async (ids) => {
          const body = { ids, changes: asked.changes };
          const { updated, errors } = await unwrap(
            api.PATCH("/api/v1/organizations/{orgId}/links/bulk", { params, body }),
          );
          return { done: updated.length, failed: errors.length };
        }),
      onSuccess: (outcome) => tell(outcome, words.links.selection.changed),
    }),
    remove: useChange({
      ...settled,
      mutationFn: (asked: readonly string[]) =>
        inChunks(asked, async (ids) => {
          const { deleted, errors } = await unwrap(
            api.POST("/api/v1/organizations/{orgId}/links/bulk-delete", { params, body: { ids } }),
          );
          for (const id of deleted) forgetDraftsOf(id);
          return { done: deleted.length, failed: errors.length };
        }),
      onSuccess: (outcome) => tell(outcome, words.links.selection.deleted),
    }),
  };
}
