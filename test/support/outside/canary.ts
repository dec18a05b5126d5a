/**
 * A listener that must never be reached, on one port of every address of this machine: IPv4 and, if available, IPv6.
 * At startup it is reached once through each protocol, so that a count of zero later means something. After the test
 * file it expects that count.
 */
import { afterAll, expect } from "bun:test";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";

export interface Canary {
  port: number;
  /** Connections so far. */
  hits(): number;
}

export async function startCanary(): Promise<Canary> {
  let hits = 0;
  const count = () => {
    hits += 1;
  };
  const v4 = await listen(count, "0.0.0.0", 0);
  const v6 = hasIpv6() ? await listen(count, "::", v4.port) : null;
  const hosts = ["127.0.0.1", "127.0.0.9", ...(v6 ? ["::1"] : [])];
  for (const host of hosts) await reach(host, v4.port);
  while (hits < hosts.length) await Bun.sleep(1);
  hits = 0;
  afterAll(() => {
    v4.server.close();
    v6?.server.close();
    expect(hits).toBe(0);
  });
  return { port: v4.port, hits: () => hits };
}

/** Reports whether the machine has IPv6; some containers have none. */
const hasIpv6 = () => Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));

function listen(onConnection: () => void, host: string, port: number): Promise<{ server: Server; port: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ server: Server; port: number }>();
  const server = createServer((socket) => {
    onConnection();
    socket.destroy();
  });
  server.once("error", reject);
  server.listen({ host, port, ipv6Only: host === "::" }, () => {
    const { port } = server.address() as AddressInfo;
    resolve({ server, port });
  });
  return promise;
}

function reach(host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host, port }, resolve);
  socket.once("error", reject);
  return promise.finally(() => socket.destroy());
}
