/**
 * Runs the threads that hash passwords. A hash takes a core for some 20 ms, and Bun's own threads would take it from the
 * thread that answers: under a flood of sign-ins the p99 of redirects was three to six times that of a quiet server.
 * These stand back behind it (Linux; elsewhere they are threads like any other), and it is one to two times.
 *
 * States of a thread: idle ⇄ busy with one task; one that fails in between is ended, and its task with it. A thread begins
 * with the first task that finds none idle, and stays. Bounds: as many threads as the caller ever has tasks under way at
 * once. Idle ones keep no process alive.
 */
import { entryPath } from "../own-files";

export type HashTask =
  | { type: "make"; password: string; cost: Bun.Password.Argon2Algorithm }
  | { type: "verify"; password: string; hash: string };

export interface HashAnswer {
  hash?: string;
  isRight?: boolean;
  failure?: string;
}

const idle: Worker[] = [];

/** Rejects for a cost that there cannot be. */
export async function makeHash(password: string, cost: Bun.Password.Argon2Algorithm): Promise<string> {
  const { hash, failure } = await inThread({ type: "make", password, cost });
  if (hash === undefined) throw new Error(failure);
  return hash;
}

/** Rejects for a text that is no hash. */
export async function verifyHash(password: string, hash: string): Promise<boolean> {
  const { isRight, failure } = await inThread({ type: "verify", password, hash });
  if (isRight === undefined) throw new Error(failure);
  return isRight;
}

async function inThread(task: HashTask): Promise<HashAnswer> {
  const thread = idle.pop() ?? begin();
  thread.ref();
  try {
    const answer = await answerOf(thread, task);
    thread.unref();
    idle.push(thread);
    return answer;
  } catch (error) {
    thread.terminate();
    throw error;
  }
}

function begin(): Worker {
  const thread = new Worker(entryPath("hashThread"));
  thread.addEventListener("close", () => {
    const at = idle.indexOf(thread);
    if (at >= 0) idle.splice(at, 1);
  });
  return thread;
}

function answerOf(thread: Worker, task: HashTask): Promise<HashAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HashAnswer>();
  const ended = () => reject(new Error("A hash thread stopped"));
  thread.addEventListener("close", ended);
  thread.onerror = ({ message }) => reject(new Error(`A hash thread failed: ${message}`));
  thread.onmessage = ({ data }: MessageEvent<HashAnswer>) => resolve(data);
  thread.postMessage(task);
  return promise.finally(() => thread.removeEventListener("close", ended));
}
