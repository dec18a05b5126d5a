/**
 * A file of the operator's, read at start and again whenever it was changed and then left alone until the next look, so that
 * one being written is not read over and over. A content that is no good is judged once, and what could not be read is
 * tried again; the same fault is told once. Until something better comes, the user goes on with what there was.
 */
import { stat } from "node:fs/promises";

export interface WatchOptions<Content> {
  everyMs: number;
  /** Throws for a content that is no good. */
  read(path: string): Promise<Content>;
  /** Of the first content, and of each that takes its place. */
  onContent(content: Content): void;
  onFault(error: Error): void;
}

/** Rejects when the file cannot be read, or its content is no good. */
export async function watchFile<Content>(path: string, options: WatchOptions<Content>): Promise<Disposable> {
  const { everyMs, read, onContent, onFault } = options;
  // The version before the content: a file replaced in between is then read again.
  let judged = await versionOf(path);
  let seen = judged;
  let fault = "";
  let isLooking = false;
  let isClosed = false;
  onContent(await read(path));

  const look = async () => {
    const found = await versionOf(path);
    const isSettled = found === seen;
    seen = found;
    if (!isSettled || found === judged) return;
    const [outcome] = await Promise.allSettled([read(path)]);
    // Written meanwhile: what was read is neither the former content nor the next.
    if ((await versionOf(path)) !== found || isClosed) return;
    if (outcome.status === "rejected") {
      if (!isOfFileSystem(outcome.reason)) judged = found;
      throw outcome.reason;
    }
    judged = found;
    fault = "";
    onContent(outcome.value);
  };
  const faulted = (error: Error) => {
    if (fault !== error.message && !isClosed) onFault(error);
    fault = error.message;
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch(faulted)
      .finally(() => {
        isLooking = false;
      });
  }, everyMs);
  timer.unref();
  return {
    [Symbol.dispose]() {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

const isOfFileSystem = (error: unknown): boolean => error instanceof Error && "syscall" in error;

async function versionOf(path: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path);
  return `${ino}:${size}:${mtimeMs}`;
}
