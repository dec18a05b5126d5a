/**
 * The nightly check, the filling of earlier figures and the storing of days in columns and of their leaders, in a process of its own, started by `figures-apart.ts`: to count a
 * day of a busy organization takes some seconds of computing and hundreds of megabytes, of which the server should notice
 * nothing. Asked on its standard input, it answers on its standard output.
 */
import { openDatabase } from "@/platform/db/client";
import { standBackApart } from "@/platform/thread-priority";
import { buildDays, STORED_DAYS_MAX } from "../columns/build-days";
import { storeLeaders } from "../read/links/stored-leaders";
import type { ApartAnswer, ApartQuestion } from "./figures-apart";
import { fillFigures } from "./fill-figures";
import { verifySample } from "./verify-sample";

standBackApart("third");
const { databaseUrl, task, now, size }: ApartQuestion = await Bun.stdin.json();
const { sql, close } = openDatabase(databaseUrl, { pool: "tool", name: "waymark verify" });
const found: ApartAnswer["found"] = [];
const tasks: Record<ApartQuestion["task"], () => Promise<ApartAnswer["outcome"]>> = {
  verify: () => verifySample(sql, { now, size }, (differences) => found.push(differences)),
  fill: () => fillFigures(sql, { now }),
  columns: async () => ({
    leaderDays: await storeLeaders(sql, { now, days: size ?? STORED_DAYS_MAX }),
    ...(await buildDays(sql, { now, days: size })),
  }),
};
try {
  const outcome = await tasks[task]();
  process.stdout.write(JSON.stringify({ outcome, found } satisfies ApartAnswer));
} finally {
  await close();
}
