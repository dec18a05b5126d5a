/** Why a short URL does not redirect, as told to clients that ask for JSON. The texts of pages are in `pages/words`. */
import type { Refusal } from "@/core/routing/gate";

export type RefusalReason =
  | Refusal["reason"]
  | "unknown"
  | "malformed"
  | "unavailable"
  | "method"
  | "busy"
  | "probing"
  | "attempts"
  | "lead_required"
  | "form_too_large";

export interface VisitRefusal {
  reason: RefusalReason;
  /** For status 429 and 503; defaults to 1. */
  retryAfterSeconds?: number;
  /** For status 405; defaults to the methods of a link without a form. */
  allow?: string;
}

interface Answer {
  status: number;
  error: string;
}

export const REFUSALS: Record<RefusalReason, Answer> = {
  unknown: { status: 404, error: "This link does not exist" },
  domain_unverified: { status: 404, error: "This link does not exist" },
  inactive: { status: 404, error: "This link does not exist" },
  not_started: { status: 404, error: "This link does not exist" },
  unsafe: { status: 403, error: "This link is blocked because its destination is unsafe" },
  expired: { status: 410, error: "This link has expired" },
  max_clicks_reached: { status: 410, error: "This link has reached its limit of visits" },
  password_required: { status: 403, error: "This link requires a password" },
  password_incorrect: { status: 403, error: "The password is incorrect" },
  lead_required: { status: 403, error: "Fill in the form to open this link" },
  form_too_large: { status: 413, error: "The form is too large" },
  malformed: { status: 400, error: "The address is malformed" },
  method: { status: 405, error: "Short links support only GET and HEAD, and POST for their forms" },
  busy: { status: 429, error: "Too many password checks at once; try again in a moment" },
  probing: {
    status: 429,
    error: "Too many attempts; try again in a minute",
  },
  attempts: {
    status: 429,
    error: "Too many attempts; try again in a minute",
  },
  unavailable: { status: 503, error: "This link is unavailable right now; try again shortly" },
};
