/** Ports for the servers that tests start. No other process of the tests gets the same ones. */
import { isFree } from "@/platform/db/embedded/free-port";

/** Above the ports that embedded databases take, and below those of outgoing connections. */
const FIRST = 24_000;
const BLOCK_SIZE = 100;
const BLOCKS = 80;

/** Listens on the first port of this process's block, for as long as the process runs. */
let block: { port: number } | undefined;
let next = 0;

/** Returns a port of 127.0.0.1 that nothing listens on now, and that no other process of the tests will take. */
export async function takePort(): Promise<number> {
  block ??= takeBlock();
  for (let tries = 1; tries < BLOCK_SIZE; tries++) {
    const port = block.port + 1 + (next++ % (BLOCK_SIZE - 1));
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port of 127.0.0.1 from ${block.port + 1} to ${block.port + BLOCK_SIZE - 1}.`);
}

function takeBlock(): { port: number } {
  const start = Math.floor(Math.random() * BLOCKS);
  for (let tries = 0; tries < BLOCKS; tries++) {
    const port = FIRST + ((start + tries) % BLOCKS) * BLOCK_SIZE;
    try {
      const listener = Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } });
      listener.unref();
      return listener;
    } catch {
      // Another process of the tests has this block.
    }
  }
  throw new Error(`Other processes listen on every hundredth port from ${FIRST}.`);
}
