/**
 * A process that verifies a sample of figures, fills earlier ones, or stores days in columns and their leaders. It is
 * started by `run-figures-process.ts`, because counting a day of a busy organization takes some seconds of computing and
 * hundreds of megabytes, which must not affect the server. It reads its task from standard input and writes the
 * result to standard output.
 */
import { openDatabase } from "@/platform/db/client";
import { lowerProcessPriority } from "@/platform/thread-priority";
import { buildDays, STORED_DAYS_MAX } from "../columns/build-days";
import { storeLeaders } from "../read/links/stored-leaders";
import { fillFigures } from "./fill-figures";
import type { FiguresTask, FiguresTaskResult } from "./run-figures-process";
import { verifySample } from "./verify-sample";

lowerProcessPriority("third");
const { databaseUrl, task, now, size }: FiguresTask = await Bun.stdin.json();
const { sql, close } = openDatabase(databaseUrl, { pool: "figures" });
const found: FiguresTaskResult["found"] = [];
const tasks: Record<FiguresTask["task"], () => Promise<FiguresTaskResult["outcome"]>> = {
  verify: () => verifySample(sql, { now, size }, (differences) => found.push(differences)),
  fill: () => fillFigures(sql, { now }),
  columns: async () => ({
    leaderDays: await storeLeaders(sql, { now, days: size ?? STORED_DAYS_MAX }),
    ...(await buildDays(sql, { now, days: size })),
  }),
};
try {
  const outcome = await tasks[task]();
  process.stdout.write(JSON.stringify({ outcome, found } satisfies FiguresTaskResult));
} finally {
  await close();
}
