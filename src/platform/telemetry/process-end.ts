/** Says in words how a helper process ended, with the end of what it wrote to its standard error. */
import type { Subprocess } from "bun";

const SAID_MAX = 1_000;

type Ended = Pick<Subprocess, "signalCode" | "exitCode">;

export function wordsOfEnd(ended: Ended, said: string): string {
  const words = said.trim().slice(-SAID_MAX);
  return words === "" ? howEnded(ended) : `${howEnded(ended)}: ${words}`;
}

function howEnded({ signalCode, exitCode }: Ended): string {
  // We kill none that has not been asked to stop.
  if (signalCode === "SIGKILL") return "was killed (SIGKILL), which Linux does if memory runs out";
  return signalCode === null ? `ended with ${exitCode}` : `was killed by ${signalCode}`;
}
