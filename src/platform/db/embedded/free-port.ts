import { createServer } from "node:net";

/**
 * Below the ports that any system gives to outgoing connections (Linux from 32768), which would take one before it is
 * used.
 */
const FIRST = 20_000;
const COUNT = 4_000;

/** Counts on from a random port, so that no two calls of a process, and rarely two processes, get the same one. */
let next = Math.floor(Math.random() * COUNT);

/**
 * Returns a port of 127.0.0.1 that nothing listens on now. Another program may take it before it is used: be ready to
 * retry.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries++) {
    const port = FIRST + (next++ % COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error("No free port on 127.0.0.1.");
}

/** Returns whether nothing listens on this port of 127.0.0.1 now. */
export function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
