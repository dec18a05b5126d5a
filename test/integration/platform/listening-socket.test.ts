/** How the kernel distributes new connections to a port that two sockets of this process listen on. */
import { afterAll, expect, test } from "bun:test";
import { mayRefuseHandshakes } from "@test/support/servers/socket-filters";
import { countOpenConnections, openListeningSocket } from "@/platform/listening-socket";

const CONNECTIONS = 40;

const serve = (port: number, name: string) =>
  Bun.serve({ port, hostname: "127.0.0.1", reusePort: true, fetch: () => new Response(name) });

const first = serve(0, "first");
const port = first.port ?? 0;
const second = serve(port, "second");
afterAll(() => Promise.all([first.stop(true), second.stop(true)]));

/** Returns the servers that responded to `CONNECTIONS` new connections. */
async function answering(): Promise<string[]> {
  const ask = async () => (await fetch(first.url, { headers: { connection: "close" }, keepalive: false })).text();
  return [...new Set(await Promise.all(Array.from({ length: CONNECTIONS }, ask)))].sort();
}

test.skipIf(process.platform !== "linux")("one socket attracts all new connections until they are shared", async () => {
  const socket = await openListeningSocket(port);
  expect(await answering()).toEqual(["first", "second"]);
  socket?.attract(1);
  expect(await answering()).toEqual(["second"]);
  socket?.attract(0);
  expect(await answering()).toEqual(["first"]);
  socket?.share();
  expect(await answering()).toEqual(["first", "second"]);
});

test.skipIf(process.platform !== "linux")("a position that no socket has changes nothing", async () => {
  const socket = await openListeningSocket(port);
  socket?.attract(7);
  expect(await answering()).toEqual(["first", "second"]);
  socket?.share();
});

test("without a listening server there is no socket and no connection", async () => {
  const gone = serve(0, "gone");
  const was = gone.port ?? 0;
  await gone.stop(true);
  expect(await openListeningSocket(was)).toBeNull();
  expect(await countOpenConnections(was)).toBe(0);
});

test.skipIf(process.platform !== "linux")("open connections are counted", async () => {
  const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } });
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  while ((await countOpenConnections(port)) === 0) await Bun.sleep(5);
  socket.end();
  while ((await countOpenConnections(port)) > 0) await Bun.sleep(5);
});

test.skipIf(process.platform !== "linux")(
  "who is refused a handshake is served elsewhere on asking again, or the kernel says that nobody may be refused",
  async () => {
    const socket = await openListeningSocket(port);
    if (!(await mayRefuseHandshakes())) return expect(() => socket?.refuseHandshakes()).toThrow("The kernel rejected");
    socket?.attract(0);
    socket?.refuseHandshakes();
    const answer = fetch(first.url, { keepalive: false });
    await Bun.sleep(200);
    socket?.attract(1);
    expect(await (await answer).text()).toBe("second");
    socket?.share();
  },
);
