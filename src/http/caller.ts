/**
 * Identifies the origin of a request for sessions, limits and the audit log. The address comes from Bun's server,
 * which is known once the service listens.
 */
import type { Server } from "bun";
import type { ClientAddress } from "@/platform/client-address";
import { limitedAddress } from "@/platform/limits/address";
import type { HashPlace } from "@/platform/passwords/passwords";
import { originalRequest } from "./dashboard/stand-in";

export interface Caller {
  ip: string | null;
  userAgent: string | null;
  /** Aborts when the client disconnects. */
  signal?: AbortSignal;
  /** The raw `Cookie` header. */
  cookies?: string | null;
}

export type CallerOf = (request: Request) => Caller;

export const callerOf =
  (addressOf: ClientAddress, server: () => Server<unknown> | null): CallerOf =>
  (request) => {
    const listening = server();
    const ip = (listening && addressOf(originalRequest(request), listening)) || null;
    return {
      ip,
      userAgent: request.headers.get("user-agent")?.slice(0, 512) ?? null,
      signal: request.signal,
      cookies: request.headers.get("cookie"),
    };
  };

/** Returns the place in the hashing queue for a password that the caller sent. */
export const hashPlaceOf = (
  purpose: "sign-in" | "registration",
  { ip, signal }: Omit<Caller, "userAgent">,
): HashPlace => ({
  purpose,
  asker: limitedAddress(ip ?? ""),
  signal,
});
