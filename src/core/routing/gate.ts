/** Whether a link serves now. One list of checks, in the order in which they refuse, for edge and preview alike. */
import type { Blocker } from "@/contract/links/links";
import type { LinkGate } from "./link";

export interface GateVisit {
  /** Unix milliseconds. */
  now: number;
  /** The caller compares hashes: that is slow on purpose and not pure. */
  password: "absent" | "correct" | "incorrect";
  /**
   * Visits that have used up `maxClicks` so far. Absent at the edge, where admission is one conditional update that
   * counts and decides at once.
   */
  admitted?: number;
}

export interface Refusal {
  status: 403 | 404 | 410;
  reason: Blocker;
}

interface Check {
  refusal: Refusal;
  refuses(gate: LinkGate, visit: GateVisit): boolean;
}

const CHECKS: readonly Check[] = [
  { refusal: { status: 404, reason: "domain_unverified" }, refuses: (gate) => !gate.isDomainVerified },
  { refusal: { status: 404, reason: "inactive" }, refuses: (gate) => !gate.isActive },
  { refusal: { status: 403, reason: "unsafe" }, refuses: (gate) => gate.isUnsafe },
  {
    refusal: { status: 404, reason: "not_started" },
    refuses: ({ startsAt }, { now }) => startsAt !== null && now < startsAt,
  },
  {
    refusal: { status: 410, reason: "expired" },
    refuses: ({ expiresAt }, { now }) => expiresAt !== null && now >= expiresAt,
  },
  {
    refusal: { status: 410, reason: "max_clicks_reached" },
    refuses: ({ maxClicks }, { admitted }) => maxClicks !== null && admitted !== undefined && admitted >= maxClicks,
  },
  {
    refusal: { status: 403, reason: "password_required" },
    refuses: ({ passwordHash }, { password }) => passwordHash !== null && password === "absent",
  },
  {
    refusal: { status: 403, reason: "password_incorrect" },
    refuses: ({ passwordHash }, { password }) => passwordHash !== null && password === "incorrect",
  },
];

/** The first refusal; null lets the visit through. */
export function checkGate(gate: LinkGate, visit: GateVisit): Refusal | null {
  for (const { refuses, refusal } of CHECKS) if (refuses(gate, visit)) return refusal;
  return null;
}

/** Lists every refusal in the order of the checks. */
export function blockers(gate: LinkGate, visit: GateVisit): Blocker[] {
  return CHECKS.filter(({ refuses }) => refuses(gate, visit)).map(({ refusal }) => refusal.reason);
}
