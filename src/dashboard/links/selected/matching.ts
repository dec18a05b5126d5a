/**
 * Reads which links match the filters of a list, newest first, in one request however many there are: page by page, a
 * long list would use up the plan's limit of requests.
 */
import { useEffect, useRef, useState } from "react";
import { api, unwrap } from "@/dashboard/api/client";
import { failureText, Unreachable } from "@/dashboard/api/failures";
import { useOrg } from "@/dashboard/shell/session";
import { toast } from "@/dashboard/ui/toasts";
import type { SelectedLink } from "../chosen";
import { type LinkFilters, useSoughtFilters } from "../queries";

/** Of more matching links, the newest are selected. */
export const SELECTED_MAX = 10_000;

interface Reading {
  signal: AbortSignal;
  onRead(count: number): void;
}

/** Reads while the filters stay the same; `read` is the number of links so far, undefined if none are being read. */
export function useMatching(given: LinkFilters, onMatching: (links: readonly SelectedLink[]) => void) {
  const { _id: orgId } = useOrg();
  const filters = useSoughtFilters(given);
  const [read, setRead] = useState<number>();
  const running = useRef<AbortController>(null);
  const cancel = () => running.current?.abort();
  const start = async () => {
    const reading = new AbortController();
    const { signal } = reading;
    running.current = reading;
    setRead(0);
    try {
      const links = await readMatching(orgId, filters, { signal, onRead: setRead });
      if (!signal.aborted) onMatching(links);
    } catch (error) {
      if (!signal.aborted) toast({ text: failureText(error), isFailure: true });
    }
    if (running.current === reading) setRead(undefined);
  };
  const asked = JSON.stringify(filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with other filters, other links match
  useEffect(() => () => running.current?.abort(), [asked]);
  return { read, start, cancel };
}

async function readMatching(orgId: string, filters: LinkFilters, { signal, onRead }: Reading) {
  const { sort: _, isArchived = false, ...others } = filters;
  const query = { ...others, isArchived, clicksByDay: false };
  const asked = api.GET("/api/v1/organizations/{orgId}/links/export.jsonl", {
    ...{ params: { path: { orgId }, query }, signal, parseAs: "stream" as const },
  });
  const body = await unwrap(asked);
  const links: SelectedLink[] = [];
  if (!body) return links;
  try {
    for await (const line of linesOf(body)) {
      links.push(chosenOf(line));
      if (links.length >= SELECTED_MAX) break;
      if (links.length % 100 === 0) onRead(links.length);
    }
  } catch (cause) {
    throw new Unreachable(undefined, { cause });
  }
  return links;
}

function chosenOf(line: string): SelectedLink {
  const { _id, shortUrl, isArchived, leadCapture }: SelectedLink = JSON.parse(line);
  return { _id, shortUrl, isArchived, ...(leadCapture && { leadCapture }) };
}

/** Leaving the loop early ends the request. */
async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let rest = "";
    for (;;) {
      const { done, value = "" } = await reader.read();
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
