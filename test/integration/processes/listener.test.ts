/** How a listening server stops: what happens to connections and requests of every kind. */
import { describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { mayRefuseHandshakes } from "@test/support/servers/socket-filters";
import { type ListenerOptions, openListener } from "@/listener";
import { createLog } from "@/platform/telemetry/log";

interface Peer {
  socket: Socket;
  received(): string;
  /** Resolves with what was received once it contains the text; rejects if the connection ends before. */
  until(text: string): Promise<string>;
  closed: Promise<void>;
}

const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const lines: string[] = [];
const mayRefuse = await mayRefuseHandshakes();
const answerAt = async (port: number): Promise<string> => {
  const { socket, until } = await peer(port);
  socket.write(GET);
  const answer = await until("\r\n\r\n");
  socket.end();
  return answer;
};
const passOverReset = (error: Error): string => {
  if (mayRefuse) throw error;
  return "";
};

/** A lane that passes every request on. */
const lane: ListenerOptions["lane"] = {
  read: () => undefined,
  visit: () => undefined,
  addressOf: (_, address) => address,
  clock: Date.now,
  counts: { answered: 0, tunnels: 0 },
};

const opens =
  (inFront: ListenerOptions["lane"]) =>
  (answer: ListenerOptions["answer"], { isShared = false, requestsMsMax = 300 } = {}) =>
    openListener({
      port: 0,
      hostname: "127.0.0.1",
      isShared,
      keepAliveSeconds: 75,
      answer,
      failed: (error) => new Response(error.message, { status: 500 }),
      log: createLog((line) => lines.push(line)),
      requestsMsMax,
      lane: inFront,
    });

function peer(port: number): Promise<Peer> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => resolve({ socket, received: () => text, until, closed }));
    const closed = new Promise<void>((close) => socket.once("close", () => close()));
    socket.once("error", reject);
    socket.on("data", (chunk) => {
      text += chunk.toString();
    });
    const until = async (wanted: string) => {
      while (!text.includes(wanted)) {
        if (socket.destroyed) throw new Error(`The connection ended after ${JSON.stringify(text)}`);
        await Bun.sleep(2);
      }
      return text;
    };
  });
}

/**
 * Starts the successor as a separate process, as it always is: of two sockets of one process on a port, the kernel's
 * table does not show which is whose.
 */
async function successorOn(port: number): Promise<Bun.Subprocess<"ignore", "pipe"> & Disposable> {
  const script = `Bun.serve({ port: ${port}, hostname: "127.0.0.1", reusePort: true, fetch: () => new Response("second") }); console.log("up")`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdin: "ignore", stdout: "pipe" });
  await child.stdout.getReader().read();
  return Object.assign(child, { [Symbol.dispose]: () => child.kill() });
}

describe.each([
  ["alone", opens(undefined)],
  ["behind a lane", opens(lane)],
])("%s", (_, open) => {
  describe.concurrent("while it hands over", () => {
    test("a keep-alive connection gets its response with connection: close, and is closed after it", async () => {
      const listener = open(() => new Response("hello"));
      const { socket, until, received, closed } = await peer(listener.port);
      socket.write(GET);
      expect((await until("hello")).toLowerCase()).not.toContain("connection: close");
      const leaving = listener.handOver({ hasSuccessor: true });
      await Bun.sleep(50);
      socket.write(GET);
      await closed;
      expect(received().match(/hello/g)).toHaveLength(2);
      expect(received().toLowerCase()).toContain("connection: close");
      await leaving;
      await listener[Symbol.asyncDispose]();
    });

    test("with a successor, a connection that was idle for a second still gets a response", async () => {
      const listener = open(() => new Response("hello"));
      const { socket, until, received, closed } = await peer(listener.port);
      socket.write(GET);
      await until("hello");
      const leaving = listener.handOver({ hasSuccessor: true });
      await Bun.sleep(1_000);
      socket.write(GET);
      await closed;
      expect(received().match(/hello/g)).toHaveLength(2);
      await leaving;
      await listener[Symbol.asyncDispose]();
    });

    test("a request whose body is still arriving gets a response", async () => {
      const begun = Promise.withResolvers<void>();
      const answer = async (request: Request) => {
        begun.resolve();
        return new Response(`got ${await request.text()}`);
      };
      const listener = open(answer, { requestsMsMax: 30_000 });
      const { socket, until } = await peer(listener.port);
      socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\nhalf");
      await begun.promise;
      const leaving = listener.handOver({ hasSuccessor: false }).then(() => listener[Symbol.asyncDispose]());
      await Bun.sleep(650);
      socket.write("half");
      expect(await until("got")).toContain("got halfhalf");
      await leaving;
    });

    test("new connections are served by it or its successor, and none fails that the kernel lets it refuse", async () => {
      const first = open(() => new Response("first"), { isShared: true });
      using second = await successorOn(first.port);
      let isDone = false;
      const leaving = first.handOver({ hasSuccessor: true }).then(() => {
        isDone = true;
      });
      const answers: string[] = [];
      while (!isDone) {
        answers.push(await answerAt(first.port).catch(passOverReset));
      }
      await leaving;
      expect(answers.length).toBeGreaterThan(0);
      await first[Symbol.asyncDispose]();
      const { socket, until } = await peer(first.port);
      socket.write(GET);
      expect(await until("second")).toContain("second");
      expect(second.exitCode).toBeNull();
    });
  });

  describe.concurrent("when it stops", () => {
    test("it lets a request in progress finish", async () => {
      const begun = Promise.withResolvers<void>();
      const answer = async () => {
        begun.resolve();
        await Bun.sleep(200);
        return new Response("slow");
      };
      const listener = open(answer, { requestsMsMax: 30_000 });
      const { socket, until } = await peer(listener.port);
      socket.write(GET);
      await begun.promise;
      const stopped = listener[Symbol.asyncDispose]();
      expect(await until("slow")).toContain("200 OK");
      await stopped;
    });

    test("it cuts an endless stream, and can be stopped twice", async () => {
      const endless = () => new Response(new ReadableStream({ start: (stream) => stream.enqueue("event") }));
      const listener = open(endless);
      const { socket, until, closed } = await peer(listener.port);
      socket.write(GET);
      await until("event");
      await Promise.all([listener[Symbol.asyncDispose](), listener[Symbol.asyncDispose]()]);
      await closed;
      await listener[Symbol.asyncDispose]();
      await expect(peer(listener.port)).rejects.toThrow("ECONNREFUSED");
    });

    test("it cuts a client that does not read its response", async () => {
      const listener = open(() => new Response(Buffer.alloc(20_000_000)));
      const { socket, closed } = await peer(listener.port);
      socket.pause();
      socket.write(GET);
      await Bun.sleep(50);
      await listener[Symbol.asyncDispose]();
      socket.resume();
      await closed;
      expect(socket.bytesRead).toBeLessThan(20_000_000);
    });
  });
});

test("behind a lane, a request sent just before it stops gets a response", async () => {
  const listener = opens(lane)(() => new Response("hello"), { requestsMsMax: 30_000 });
  const { socket, until } = await peer(listener.port);
  // Connections are accepted in turn, so it is by then.
  await answerAt(listener.port);
  socket.write(GET);
  const stopped = listener[Symbol.asyncDispose]();
  expect(await until("hello")).toContain("200 OK");
  await stopped;
});

test("none of this logs a warning, except where only administrators may set tcp_migrate_req", () => {
  expect(lines.filter((line) => mayRefuse || !line.includes("tcp_migrate_req"))).toEqual([]);
});
