/**
 * Ends what a test run started, however the run ends. In order, the preload's last hook calls `endRun`. For a run that is
 * killed, bails out or crashes there is a watchdog: a shell in a session of its own that reads from a pipe only the run
 * holds, and does the same when the pipe closes.
 */
import { spawn } from "node:child_process";

type Ending = () => Promise<void>;

const endings: Ending[] = [];

/** The latest is ended first. */
export function atEndOfRun(ending: Ending): void {
  endings.unshift(ending);
}

export async function endRun(): Promise<void> {
  for (const ending of endings.splice(0)) await ending();
}

/** Runs the shell script, with these arguments, once this process is gone; never when `dismiss` was called before. */
export function onDeathOfRun(script: string, ...args: string[]): { dismiss(): void } {
  const watchdog = spawn("sh", ["-c", `if read -r word; then exit; fi; ${script}`, "sh", ...args], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watchdog.unref();
  return { dismiss: () => void watchdog.stdin?.end("dismissed\n") };
}
