/**
 * Runs imports in a separate process with low priority, which `work.ts` starts: checking a million links takes minutes
 * of computing, and redirects should not notice. The process reads its settings from standard input and exits when
 * that closes: when the server stops or dies, it finishes the current batch and leaves the job to another server.
 */
import { createLog } from "@/platform/telemetry/log";
import { lowerProcessPriority } from "@/platform/thread-priority";
import { openImportJobs } from "./jobs";
import type { ImportQuestion } from "./work";

/** How long the process waits for another job before it exits. Waiting costs less than starting again. */
const LINGER_MS = 2_000;
const LOOK_EVERY_MS = 100;
/**
 * How often and for how long it retries while Postgres is unreachable. The process resumes its own job as soon as
 * Postgres is back, whereas another process would have to wait until the lease expires.
 */
const AWAY_LOOK_MS = 1_000;
const AWAY_MS_MAX = 60_000;

lowerProcessPriority("tenth");
const ending = new AbortController();
const input = Bun.stdin.stream().pipeThrough(new TextDecoderStream()).getReader();
const { logLevel, ...settings }: ImportQuestion = JSON.parse(await firstLine());
void untilClosed();
const log = createLog((text) => process.stdout.write(text), {}, logLevel);
{
  await using jobs = await openImportJobs(settings, log);
  for (let idleSince = performance.now(), awayMs = 0; !ending.signal.aborted; ) {
    const hadWork = await jobs.runNext(ending.signal).catch((error: unknown) => {
      if (awayMs >= AWAY_MS_MAX) throw error;
      return undefined;
    });
    if (hadWork) idleSince = performance.now();
    else if (hadWork === false && performance.now() - idleSince > LINGER_MS) break;
    else await Bun.sleep(hadWork === undefined ? AWAY_LOOK_MS : LOOK_EVERY_MS);
    awayMs = hadWork === undefined ? awayMs + AWAY_LOOK_MS : 0;
  }
}
log.flush();
process.exit(0);

async function firstLine(): Promise<string> {
  let text = "";
  while (!text.includes("\n")) {
    const { done, value } = await input.read();
    if (done) process.exit(0);
    text += value;
  }
  return text.slice(0, text.indexOf("\n"));
}

async function untilClosed(): Promise<void> {
  while (!(await input.read()).done);
  ending.abort();
}
