/**
 * The nightly check in a process of its own, started by `verify-apart.ts`: it counts a day of a busy organization in some
 * seconds of computing and hundreds of megabytes, of which the server should notice nothing. Asked on its standard input,
 * it answers on its standard output.
 */
import { constants, setPriority } from "node:os";
import { openDatabase } from "@/platform/db/client";
import type { ApartAnswer, ApartQuestion } from "./verify-apart";
import { verifySample } from "./verify-sample";

setPriority(constants.priority.PRIORITY_LOW);
const { databaseUrl, ...options }: ApartQuestion = await Bun.stdin.json();
const { sql, close } = openDatabase(databaseUrl, { pool: "tool", name: "waymark verify" });
const found: ApartAnswer["found"] = [];
try {
  const outcome = await verifySample(sql, options, (differences) => found.push(differences));
  process.stdout.write(JSON.stringify({ outcome, found } satisfies ApartAnswer));
} finally {
  await close();
}
