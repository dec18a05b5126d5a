/** Receiving the rest of a body whose request is refused. */
import { expect, test } from "bun:test";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { discardBody } from "@/http/body/unread-body";

const QUIET_MS = 200;

/** Returns the two ends of a connection. */
async function connection(): Promise<{ client: Socket; server: Socket }> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  const accepted = once(listener, "connection");
  const client = connect(typeof address === "object" ? (address?.port ?? 0) : 0, "127.0.0.1");
  const [server] = await accepted;
  listener.close();
  return { client, server };
}

test("a client is waited for even if each turn of a busy process takes long", async () => {
  const { client, server } = await connection();
  const chunks = server[Symbol.asyncIterator]();
  const received: string[] = [];
  const body = {
    async read() {
      const { done = false, value } = await chunks.next();
      if (!done) received.push(String(value));
      return done ? { done, value: undefined } : { done, value };
    },
    cancel: async () => void server.destroy(),
  };
  const discarded = discardBody(body, QUIET_MS);
  client.write("first");
  while (received.length === 0) await Bun.sleep(1);
  for (let turns = 0; turns < 3; turns++) {
    Bun.sleepSync(QUIET_MS);
    await Bun.sleep(1);
  }
  client.end("rest");
  await discarded;
  expect(received).toEqual(["first", "rest"]);
});

test("a client that sends nothing more is no longer waited for", async () => {
  const { client, server } = await connection();
  const closed = once(client, "close");
  const body = { read: () => new Promise<never>(() => {}), cancel: async () => void server.destroy() };
  await discardBody(body, QUIET_MS);
  await closed;
  expect(server.destroyed).toBe(true);
});
