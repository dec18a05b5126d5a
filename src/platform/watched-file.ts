/**
 * Watches a file that the operator provides. It is read at start, and again whenever it has changed and was then left
 * unchanged until the next check, so that a file being written is not read over and over. Invalid content is judged
 * once; a file that could not be read is tried again; the same fault is reported once, until it is over. Until better
 * content arrives, the caller goes on with the previous one.
 */
import { stat } from "node:fs/promises";

export interface WatchOptions<Content> {
  everyMs: number;
  /** Throws if the content is invalid. */
  read(path: string): Promise<Content>;
  /** Called with the first content, and with each one that replaces it. */
  onContent(content: Content): void;
  onFault(error: Error): void;
}

/** Rejects if the file cannot be read or its content is invalid. */
export async function watchFile<Content>(path: string, options: WatchOptions<Content>): Promise<Disposable> {
  const { everyMs, read, onContent, onFault } = options;
  // Takes the version before the content: if the file is replaced in between, it is read again.
  let judged = await versionOf(path);
  let seen = judged;
  /** The latest fault that was reported and is not over. */
  let fault = "";
  /** That of the content judged last; empty if it was valid. */
  let judgedFault = "";
  let isLooking = false;
  let isClosed = false;
  onContent(await read(path));

  const look = async () => {
    const found = await versionOf(path);
    const isSettled = found === seen;
    seen = found;
    // Whatever happened to the file since then is over.
    if (found === judged) fault = judgedFault;
    if (!isSettled || found === judged) return;
    const [outcome] = await Promise.allSettled([read(path)]);
    // The file was written meanwhile: what was read is neither the previous content nor the next.
    if ((await versionOf(path)) !== found || isClosed) return;
    if (outcome.status === "rejected") {
      if (!isOfFileSystem(outcome.reason)) {
        judged = found;
        judgedFault = messageOf(outcome.reason);
      }
      throw outcome.reason;
    }
    judged = found;
    judgedFault = "";
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

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const isOfFileSystem = (error: unknown): boolean => error instanceof Error && "syscall" in error;

async function versionOf(path: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path);
  return `${ino}:${size}:${mtimeMs}`;
}
