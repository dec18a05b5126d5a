/**
 * Cleans up what a test run started, however the run ends. When it ends normally, the preload's last hook calls
 * `endRun`. When it is killed, bails out or crashes, a watchdog does the same: a shell in its own session that reads
 * from a pipe only the run holds open, and cleans up when the pipe closes.
 */
import { spawn } from "node:child_process";

type Ending = () => Promise<void>;

const endings: Ending[] = [];

/** Registers a clean-up. Clean-ups run in reverse order of registration. */
export function atEndOfRun(ending: Ending): void {
  endings.unshift(ending);
}

export async function endRun(): Promise<void> {
  for (const ending of endings.splice(0)) await ending();
}

/** Runs the shell script with these arguments once this process is gone, unless `dismiss` was called before. */
export function onDeathOfRun(script: string, ...args: string[]): { dismiss(): void } {
  const watchdog = spawn("sh", ["-c", `if read -r word; then exit; fi; ${script}`, "sh", ...args], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watchdog.unref();
  return { dismiss: () => void watchdog.stdin?.end("dismissed\n") };
}
