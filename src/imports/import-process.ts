/**
 * Imports, in a process of their own with low priority, started by `work.ts`: to judge a million links takes minutes of
 * computing, of which redirects should notice nothing. It is told its settings on its standard input, and ends with that: when
 * the server stops or dies, the batch under way is finished and the job left to another server.
 */
import { constants, setPriority } from "node:os";
import { createLog } from "@/platform/telemetry/log";
import { openImportJobs } from "./jobs";
import type { ImportQuestion } from "./work";

/** For more to do, since a start costs more than a wait. */
const LINGER_MS = 2_000;
const LOOK_EVERY_MS = 100;
/** While Postgres is away. Whoever is there when it comes back goes on with its own job at once, others once its lease has ended. */
const AWAY_LOOK_MS = 1_000;
const AWAY_MS_MAX = 60_000;

setPriority(constants.priority.PRIORITY_LOW);
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
