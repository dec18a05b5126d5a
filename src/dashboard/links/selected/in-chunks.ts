/** Sends many ids in as few requests as the API allows, which wait when it tells them to. */
import { patiently } from "@/dashboard/api/patiently";

/** Limit of the API. */
const IDS_MAX = 1_000;

export interface ChunkOutcome<Done> {
  done: readonly Done[];
  failed: number;
  /** How many ids were left as they are, and why; without an error, because it was cancelled. */
  stopped?: { left: number; error?: unknown };
}

export interface ChunkProgress {
  done: number;
  /** Seconds after which the next request is sent, while one was refused for now. */
  waitSeconds?: number | undefined;
}

interface Chunks<Done> {
  /** Cancels what has not been sent. */
  signal: AbortSignal;
  send(ids: string[]): Promise<ChunkOutcome<Done>>;
  /** Called before each request if there are several, and whenever one has to wait. */
  onProgress(progress: ChunkProgress): void;
}

/** Throws only if nothing was changed. */
export async function inChunks<Done>(
  ids: readonly string[],
  { signal, send, onProgress }: Chunks<Done>,
): Promise<ChunkOutcome<Done>> {
  let all: ChunkOutcome<Done> = { done: [], failed: 0 };
  for (let start = 0; start < ids.length; start += IDS_MAX) {
    const left = ids.length - start;
    if (signal.aborted) return { ...all, stopped: { left } };
    if (ids.length > IDS_MAX) onProgress({ done: start });
    const chunk = ids.slice(start, start + IDS_MAX);
    const onWait = (waitSeconds: number | undefined) => onProgress({ done: start, waitSeconds });
    try {
      const { done, failed } = await patiently(() => send(chunk), { signal, onWait });
      all = { done: [...all.done, ...done], failed: all.failed + failed };
    } catch (error) {
      if (signal.aborted) return { ...all, stopped: { left } };
      if (start === 0) throw error;
      return { ...all, stopped: { error, left } };
    }
  }
  return all;
}
