/** Reports whether this process may refuse handshakes on a listening socket: some kernels require `CAP_NET_ADMIN`. */
import { readFile } from "node:fs/promises";
import { openListeningSocket } from "@/platform/listening-socket";

const NET_ADMIN = 1n << 12n;

export async function mayRefuseHandshakes(): Promise<boolean> {
  if (process.platform !== "linux") return false;
  // With the capability, a failure is a bug that the tests should report.
  if (await isNetAdmin()) return true;
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  try {
    (await openListeningSocket(Number(server.port)))?.refuseHandshakes();
    return true;
  } catch {
    return false;
  } finally {
    await server.stop(true);
  }
}

async function isNetAdmin(): Promise<boolean> {
  const [, effective = "0"] = /^CapEff:\s*(\w+)/m.exec(await readFile("/proc/self/status", "utf8")) ?? [];
  return (BigInt(`0x${effective}`) & NET_ADMIN) !== 0n;
}
