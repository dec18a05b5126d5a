/** Why a short URL does not lead on, in words for people; the same for pages and for clients that ask for JSON. */
import type { Refusal } from "@/core/gate";

export type RefusalReason =
  | Refusal["reason"]
  | "unknown"
  | "malformed"
  | "unavailable"
  | "method"
  | "busy"
  | "probing"
  | "attempts";

export interface Refused {
  reason: RefusalReason;
  /** Of 429 and 503; a second where it is left out. */
  retryAfterSeconds?: number;
}

interface Words {
  status: number;
  title: string;
  error: string;
}

export const REFUSALS: Record<RefusalReason, Words> = {
  unknown: { status: 404, title: "Nothing here", error: "There is no such link" },
  domain_unverified: { status: 404, title: "Nothing here", error: "There is no such link" },
  inactive: { status: 404, title: "Nothing here", error: "There is no such link" },
  not_started: { status: 404, title: "Nothing here", error: "There is no such link" },
  unsafe: { status: 403, title: "Unsafe link", error: "This link is blocked because its destination is unsafe" },
  expired: { status: 410, title: "This link has ended", error: "This link has expired" },
  max_clicks_reached: { status: 410, title: "This link has ended", error: "This link has been used up" },
  password_required: { status: 403, title: "Password needed", error: "This link needs a password" },
  password_incorrect: { status: 403, title: "Password needed", error: "The password is wrong" },
  malformed: { status: 400, title: "Not a link", error: "The address is malformed" },
  method: { status: 405, title: "Not allowed", error: "Short links answer GET and HEAD" },
  busy: { status: 429, title: "One moment", error: "Too many password checks at once; try again in a moment" },
  probing: {
    status: 429,
    title: "One moment",
    error: "Too many links that do not exist were asked for from here; try again in a minute",
  },
  attempts: {
    status: 429,
    title: "One moment",
    error: "Too many passwords were tried from here; try again in a minute",
  },
  unavailable: { status: 503, title: "One moment", error: "The link cannot be looked up right now; try again shortly" },
};
