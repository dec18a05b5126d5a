/** Where a request comes from, for sessions, limits and the audit log. Reads the address from Bun's server, set at listen. */
import type { Server } from "bun";
import type { ClientAddress } from "@/platform/client-address";

export interface Caller {
  ip: string | null;
  userAgent: string | null;
}

export type CallerOf = (request: Request) => Caller;

export const callerOf =
  (addressOf: ClientAddress, server: () => Server<unknown> | null): CallerOf =>
  (request) => {
    const listening = server();
    const ip = (listening && addressOf(request, listening)) || null;
    return {
      ip,
      userAgent: request.headers.get("user-agent")?.slice(0, 512) ?? null,
    };
  };
