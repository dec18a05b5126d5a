/** Whether this process may lead connections past a socket that listens: some kernels allow it to administrators alone. */
import { openListeningSocket } from "@/platform/listening-socket";

export async function mayRefuseHandshakes(): Promise<boolean> {
  if (process.platform !== "linux") return false;
  // As an administrator it is a fault of ours when it fails.
  if (process.getuid?.() === 0) return true;
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
