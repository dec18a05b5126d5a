/** Changes the selected links in as few requests as the API allows. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../api/changes";
import { api, type Schemas, unwrap } from "../api/client";
import { failureText } from "../api/failures";
import { forgetDraftsOf } from "../drafts/kept-draft";
import { useOrg } from "../shell/session";
import { countText } from "../ui/format";
import { toast } from "../ui/toasts";
import { words } from "../words";
import { type Link, showChanged, showDeleted } from "./queries";

/** Limit of the API. */
const IDS_MAX = 1_000;

type Changes = Schemas["BulkUpdateInput"]["changes"];

interface Outcome<Done> {
  done: readonly Done[];
  failed: number;
  /** Why the links after these were left as they are. */
  stopped?: { error: unknown; left: number };
}

interface Chunks<Done> {
  send(ids: string[]): Promise<Outcome<Done>>;
  /** Called before each request after the first. */
  onDone(count: number): void;
}

/** Throws only if nothing was changed. */
async function inChunks<Done>(ids: readonly string[], { send, onDone }: Chunks<Done>): Promise<Outcome<Done>> {
  let all: Outcome<Done> = { done: [], failed: 0 };
  for (let start = 0; start < ids.length; start += IDS_MAX) {
    if (start > 0) onDone(start);
    try {
      const { done, failed } = await send(ids.slice(start, start + IDS_MAX));
      all = { done: [...all.done, ...done], failed: all.failed + failed };
    } catch (error) {
      if (start === 0) throw error;
      return { ...all, stopped: { error, left: ids.length - start } };
    }
  }
  return all;
}

/** Of what could not be changed, someone else may have deleted some, so that only the service knows what is left. */
function known<Done>(outcome: Outcome<Done> | undefined): readonly Done[] | undefined {
  return outcome?.failed === 0 && !outcome.stopped ? outcome.done : undefined;
}

export function useBulk() {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  const params = { path: { orgId } };
  const onError = (error: unknown) => toast({ text: failureText(error), isFailure: true });
  const [done, setDone] = useState<number>();
  const onSent = (all: number) => setDone(all > IDS_MAX ? 0 : undefined);
  return {
    /** How many links of a change that takes several requests are done. */
    done,
    change: useChange({
      onError,
      onMutate: ({ ids }) => onSent(ids.length),
      onSettled(outcome) {
        setDone(undefined);
        return showChanged(client, orgId, known(outcome));
      },
      mutationFn: (asked: { ids: readonly string[]; changes: Changes }) =>
        inChunks<Link>(asked.ids, {
          onDone: setDone,
          async send(ids) {
            const body = { ids, changes: asked.changes };
            const { updated, errors } = await unwrap(
              api.PATCH("/api/v1/organizations/{orgId}/links/bulk", { params, body }),
            );
            return { done: updated, failed: errors.length };
          },
        }),
      onSuccess: (outcome) => tell(outcome, words.links.selection.changed),
    }),
    remove: useChange({
      onError,
      onMutate: (ids) => onSent(ids.length),
      onSettled(outcome) {
        setDone(undefined);
        return showDeleted(client, orgId, known(outcome));
      },
      mutationFn: (asked: readonly string[]) =>
        inChunks<string>(asked, {
          onDone: setDone,
          async send(ids) {
            const { deleted, errors } = await unwrap(
              api.POST("/api/v1/organizations/{orgId}/links/bulk-delete", { params, body: { ids } }),
            );
            for (const id of deleted) forgetDraftsOf(id);
            return { done: deleted, failed: errors.length };
          },
        }),
      onSuccess: (outcome) => tell(outcome, words.links.selection.deleted),
    }),
  };
}

function tell({ done, failed, stopped }: Outcome<unknown>, said: (count: number, written: string) => string): void {
  const { selection } = words.links;
  const toldFailed = (count: number) => selection.failed(count, countText(count));
  if (done.length > 0) toast({ text: said(done.length, countText(done.length)) });
  if (failed > 0) toast({ text: toldFailed(failed), isFailure: true });
  if (stopped)
    toast({ text: selection.qr.failedOne(toldFailed(stopped.left), failureText(stopped.error)), isFailure: true });
}
