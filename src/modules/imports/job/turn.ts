/** The turn of a job: it may go on for `SLICE_MS`, and after that for as long as no other organization's job waits. */
import type { Drizzle } from "@/platform/db/client";
import { hasDueImports } from "./claim";

const SLICE_MS = 20_000;
/** Milliseconds before a job may have its next turn: those that wait come first. */
export const NEXT_TURN_MS = 0;

export interface Turn {
  isOver(): Promise<boolean>;
}

/** `sliceMs` is for tests. */
export function beginTurn(db: Drizzle, sliceMs = SLICE_MS): Turn {
  const until = performance.now() + sliceMs;
  return { isOver: async () => performance.now() > until && (await hasDueImports(db)) };
}
