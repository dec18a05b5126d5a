/**
 * Lets a start wait for a predecessor that is still stopping: the predecessor keeps the port for a moment, and its
 * embedded Postgres, which the new process would otherwise share, is about to end. A stopping process announces
 * itself with a lock in the data directory, which disappears with its process. Of two that start on one port at the same
 * time, the second waits for the port in vain.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { acquireFileLock } from "@/platform/file-lock";
import type { Log } from "@/platform/telemetry/log";

/**
 * Milliseconds to wait for the port: a stopping predecessor closes it soon, so whatever keeps it longer is not
 * stopping.
 */
const PORT_WAIT_MS = 2_000;
const STOP_WAIT_MS = 60_000;
const LOOK_EVERY_MS = 50;

const lockOf = (dataDir: string) => join(dataDir, "stopping.lock");

/** To be called before the embedded Postgres is stopped, by a process that ends soon after. */
export function announceStop(dataDir: string, log: Log): void {
  try {
    acquireFileLock(lockOf(dataDir));
  } catch (error) {
    log.warn("a successor started now may not wait for this process", { error });
  }
}

/** Waits until no process is stopping on this data directory; gives up after a minute. */
export async function untilStopped(dataDir: string, log: Pick<Log, "info">): Promise<void> {
  if (!existsSync(dataDir)) return;
  const giveUpAt = performance.now() + STOP_WAIT_MS;
  for (let looks = 0; performance.now() < giveUpAt; looks++) {
    const lock = acquireFileLock(lockOf(dataDir));
    lock?.release();
    if (lock) return;
    if (looks === 0) log.info("waiting for the previous process to stop", { dataDir });
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

/**
 * Resolves once nothing listens on the port; throws `EADDRINUSE` if another process keeps it, or is starting on it. Until
 * the result is disposed of, which should be once this process listens, any other start on it throws that: workers share
 * a port, so the kernel would let two services share it, too.
 */
export async function claimPort(hostname: string, port: number): Promise<Disposable> {
  const giveUpAt = performance.now() + PORT_WAIT_MS;
  for (;;) {
    try {
      return claimFreePort(hostname, port);
    } catch (error) {
      if (!isPortTaken(error) || performance.now() >= giveUpAt) throw error;
    }
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

const NOTHING = { data() {} };

/** Throws `EADDRINUSE`. */
function claimFreePort(hostname: string, port: number): Disposable {
  const claim = claimName(`waymark starts on ${hostname}:${port}`);
  try {
    Bun.listen({ hostname, port, socket: NOTHING }).stop(true);
    return claim;
  } catch (error) {
    claim[Symbol.dispose]();
    throw error;
  }
}

/**
 * Claims a name that Linux keeps where it keeps ports, without a file, until the process ends. Throws `EADDRINUSE` if
 * another process has it. Elsewhere, and where the system refuses, it does nothing.
 */
function claimName(name: string): Disposable {
  try {
    const claim = process.platform === "linux" ? Bun.listen({ unix: `\0${name}`, socket: NOTHING }) : undefined;
    return { [Symbol.dispose]: () => claim?.stop(true) };
  } catch (error) {
    if (isPortTaken(error)) throw error;
    return { [Symbol.dispose]() {} };
  }
}

const isPortTaken = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EADDRINUSE";
