import { entryPath } from "@/platform/own-files";
import type { Log } from "@/platform/telemetry/log";
import { wordsOfEnd } from "@/platform/telemetry/process-end";
import type { BuildOutcome } from "../columns/build-days";
import type { FillOutcome } from "./fill-figures";
import type { FoundDifferences, SampleOutcome } from "./verify-sample";

export interface FiguresTask {
  task: "verify" | "fill" | "columns";
  databaseUrl: string;
  /** Unix milliseconds. */
  now: number;
  /** The number of days to verify, or the number of past days to consider for columns. */
  size?: number;
}

export interface FiguresTaskResult {
  outcome: SampleOutcome | FillOutcome | BuildOutcome;
  found: FoundDifferences[];
}

const DIFFERENT = "figures differ from the clicks they count; correct them with `bun run admin verify-rollups --mend`";

/**
 * Verifies a sample of figures, fills earlier ones, or stores days in columns, in a separate process. Logs the
 * differences found. Rejects if the process fails or is aborted. Its environment is `trustEnv`.
 */
export async function runFiguresProcess(
  question: FiguresTask,
  log: Log,
  signal: AbortSignal,
  trustEnv: Record<string, string> = {},
): Promise<FiguresTaskResult["outcome"]> {
  signal.throwIfAborted();
  const child = Bun.spawn([process.execPath, "--no-env-file", entryPath("figuresProcess")], {
    stdin: new Blob([JSON.stringify(question)]),
    stdout: "pipe",
    stderr: "pipe",
    env: trustEnv,
    // See `lowerProcessPriority`.
    detached: true,
    signal,
    killSignal: "SIGKILL",
  });
  const [answer, said, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  signal.throwIfAborted();
  if (code !== 0) throw new Error(`The figures process (${question.task}) ${wordsOfEnd(child, said)}`);
  const { outcome, found }: FiguresTaskResult = JSON.parse(answer);
  for (const differences of found) log.error(DIFFERENT, { ...differences });
  return outcome;
}
