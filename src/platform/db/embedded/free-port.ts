import { createServer } from "node:net";

/** Below what any system gives to connections that go out (Linux from 32768): one of those would take it before it is used. */
const FIRST = 20_000;
const COUNT = 12_000;

/** Goes on from anywhere, so that no two calls of a process, and hardly two processes, are given the same one. */
let next = Math.floor(Math.random() * COUNT);

/** A port of 127.0.0.1 that nobody listens on now. Another program may take it before it is used: be ready to retry. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries++) {
    const port = FIRST + (next++ % COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error("No free port on 127.0.0.1.");
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
