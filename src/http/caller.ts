/** Where a request comes from, for sessions, limits and the audit log. Reads the address from Bun's server, set at listen. */
import type { Server } from "bun";
import type { ClientAddress } from "@/platform/client-address";
import { limitedAddress } from "@/platform/limits/address";
import type { HashPlace } from "@/platform/passwords/passwords";
import { sentFor } from "./dashboard/stand-in";

export interface Caller {
  ip: string | null;
  userAgent: string | null;
  /** Aborts when the client hangs up. */
  signal?: AbortSignal;
  /** The header, as it came. */
  cookies?: string | null;
}

export type CallerOf = (request: Request) => Caller;

export const callerOf =
  (addressOf: ClientAddress, server: () => Server<unknown> | null): CallerOf =>
  (request) => {
    const listening = server();
    const ip = (listening && addressOf(sentFor(request), listening)) || null;
    return {
      ip,
      userAgent: request.headers.get("user-agent")?.slice(0, 512) ?? null,
      signal: request.signal,
      cookies: request.headers.get("cookie"),
    };
  };

/** Where the password that a caller brings waits to be hashed. */
export const hashPlaceOf = (
  purpose: "sign-in" | "registration",
  { ip, signal }: Omit<Caller, "userAgent">,
): HashPlace => ({
  purpose,
  asker: limitedAddress(ip ?? ""),
  signal,
});
