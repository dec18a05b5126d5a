/** Changes the selected links in as few requests as the API allows. */
import { useQueryClient } from "@tanstack/react-query";
import { useChange } from "../api/changes";
import { api, type Schemas, unwrap } from "../api/client";
import { failureText } from "../api/failures";
import { forgetDraftsOf } from "../drafts/kept-draft";
import { useOrg } from "../shell/session";
import { toast } from "../ui/toasts";
import { words } from "../words";
import { type Link, showChanged, showDeleted } from "./queries";

/** Limit of the API. */
const IDS_MAX = 1_000;

type Changes = Schemas["BulkUpdateInput"]["changes"];

interface Outcome<Done> {
  done: readonly Done[];
  failed: number;
}

async function inChunks<Done>(
  ids: readonly string[],
  send: (ids: string[]) => Promise<Outcome<Done>>,
): Promise<Outcome<Done>> {
  const outcomes: Outcome<Done>[] = [];
  for (let start = 0; start < ids.length; start += IDS_MAX)
    outcomes.push(await send(ids.slice(start, start + IDS_MAX)));
  return {
    done: outcomes.flatMap(({ done }) => done),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/** Of what could not be changed, someone else may have deleted some, so that only the service knows what is left. */
function known<Done>(outcome: Outcome<Done> | undefined): readonly Done[] | undefined {
  return outcome?.failed === 0 ? outcome.done : undefined;
}

export function useBulk() {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  const params = { path: { orgId } };
  const onError = (error: unknown) => toast({ text: failureText(error), isFailure: true });
  const tell = ({ done, failed }: Outcome<unknown>, said: (count: number) => string) => {
    if (done.length > 0) toast({ text: said(done.length) });
    if (failed > 0) toast({ text: words.links.selection.failed(failed), isFailure: true });
  };
  return {
    change: useChange({
      onError,
      onSettled: (outcome) => showChanged(client, orgId, known(outcome)),
      mutationFn: (asked: { ids: readonly string[]; changes: Changes }) =>
        inChunks<Link>(asked.ids, async (ids) => {
          const body = { ids, changes: asked.changes };
          const { updated, errors } = await unwrap(
            api.PATCH("/api/v1/organizations/{orgId}/links/bulk", { params, body }),
          );
          return { done: updated, failed: errors.length };
        }),
      onSuccess: (outcome) => tell(outcome, words.links.selection.changed),
    }),
    remove: useChange({
      onError,
      onSettled: (outcome) => showDeleted(client, orgId, known(outcome)),
      mutationFn: (asked: readonly string[]) =>
        inChunks(asked, async (ids) => {
          const { deleted, errors } = await unwrap(
            api.POST("/api/v1/organizations/{orgId}/links/bulk-delete", { params, body: { ids } }),
          );
          for (const id of deleted) forgetDraftsOf(id);
          return { done: deleted, failed: errors.length };
        }),
      onSuccess: (outcome) => tell(outcome, words.links.selection.deleted),
    }),
  };
}
