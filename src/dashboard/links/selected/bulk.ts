/** Changes the selected links in as few requests as the API allows. */
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useChange } from "@/dashboard/api/changes";
import { api, type Schemas, unwrap } from "@/dashboard/api/client";
import { failureText } from "@/dashboard/api/failures";
import { forgetDraftsOf } from "@/dashboard/drafts/kept-draft";
import { useOrg } from "@/dashboard/shell/session";
import { countText } from "@/dashboard/ui/format";
import { toast } from "@/dashboard/ui/toasts";
import { type Link, showChanged, showDeleted } from "../queries";
import { type ChunkOutcome, type ChunkProgress, inChunks } from "./in-chunks";
import { selectionWords as words } from "./words";

type Changes = Schemas["BulkUpdateInput"]["changes"];

/** Of what could not be changed, someone else may have deleted some, so that only the service knows what is left. */
function known<Done>(outcome: ChunkOutcome<Done> | undefined): readonly Done[] | undefined {
  return outcome?.failed === 0 && !outcome.stopped ? outcome.done : undefined;
}

export function useBulk() {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  const params = { path: { orgId } };
  const onError = (error: unknown) => toast({ text: failureText(error), isFailure: true });
  const [progress, setProgress] = useState<ChunkProgress>();
  const [isCanceling, setCanceling] = useState(false);
  const running = useRef<AbortController>(null);
  return {
    /** What is done of a change that takes several requests, or has to wait. */
    progress,
    /** Leaves what has not been sent as it is, once the request under way has its response. */
    cancel() {
      setCanceling(true);
      running.current?.abort();
    },
    isCanceling,
    change: useChange({
      onError,
      onSettled(outcome) {
        setProgress(undefined);
        return showChanged(client, orgId, known(outcome));
      },
      mutationFn: ({ ids: asked, changes }: { ids: readonly string[]; changes: Changes }) =>
        send<Link>(asked, async (ids) => {
          const { updated, errors } = await unwrap(
            api.PATCH("/api/v1/organizations/{orgId}/links/bulk", { params, body: { ids, changes } }),
          );
          return { done: updated, failed: errors.length };
        }),
      onSuccess: (outcome) => tell(outcome, words.selection.changed),
    }),
    remove: useChange({
      onError,
      onSettled(outcome) {
        setProgress(undefined);
        return showDeleted(client, orgId, known(outcome));
      },
      mutationFn: (asked: readonly string[]) =>
        send<string>(asked, async (ids) => {
          const { deleted, errors } = await unwrap(
            api.POST("/api/v1/organizations/{orgId}/links/bulk-delete", { params, body: { ids } }),
          );
          for (const id of deleted) forgetDraftsOf(id);
          return { done: deleted, failed: errors.length };
        }),
      onSuccess: (outcome) => tell(outcome, words.selection.deleted),
    }),
  };

  function send<Done>(ids: readonly string[], sendChunk: (ids: string[]) => Promise<ChunkOutcome<Done>>) {
    const controller = new AbortController();
    running.current = controller;
    setCanceling(false);
    return inChunks(ids, { signal: controller.signal, onProgress: setProgress, send: sendChunk });
  }
}

function tell(
  { done, failed, stopped }: ChunkOutcome<unknown>,
  said: (count: number, written: string) => string,
): void {
  const { selection } = words;
  const toldFailed = (count: number) => selection.failed(count, countText(count));
  if (done.length > 0) toast({ text: said(done.length, countText(done.length)) });
  if (failed > 0) toast({ text: toldFailed(failed), isFailure: true });
  if (stopped?.error)
    toast({ text: selection.qr.failedOne(toldFailed(stopped.left), failureText(stopped.error)), isFailure: true });
}
