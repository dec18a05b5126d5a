/** Decides whether a link serves now. The edge and the preview share one list of checks, in order of precedence. */
import type { Blocker } from "@/contract/links/link-preview";
import type { LinkGate } from "./link";

/** The caller compares the hashes: that is slow on purpose, and not pure. */
export type PasswordState = "absent" | "correct" | "incorrect";

/** What is known of a visit so far. Absent fields have not been determined yet. */
export interface GateVisit {
  /** Unix milliseconds. */
  now: number;
  /** Visits already counted towards `maxClicks`. */
  admitted?: number;
  password?: PasswordState;
}

export interface Refusal {
  status: 403 | 404 | 410;
  reason: Blocker;
}

/** `ask`: the decision depends on something not known yet. */
export type GateAnswer =
  | { does: "admit" }
  | { does: "refuse"; refusal: Refusal }
  | { does: "ask"; for: "admitted" | "password" };

interface Check {
  answer: GateAnswer;
  applies(gate: LinkGate, visit: GateVisit): boolean;
}

const refuse = (status: Refusal["status"], reason: Blocker, applies: Check["applies"]): Check => ({
  answer: { does: "refuse", refusal: { status, reason } },
  applies,
});

const CHECKS: readonly Check[] = [
  refuse(404, "domain_unverified", (gate) => !gate.isDomainVerified),
  refuse(404, "inactive", (gate) => !gate.isActive),
  refuse(403, "unsafe", (gate) => gate.isUnsafe),
  refuse(404, "not_started", ({ startsAt }, { now }) => startsAt !== null && now < startsAt),
  refuse(410, "expired", ({ expiresAt }, { now }) => expiresAt !== null && now >= expiresAt),
  {
    answer: { does: "ask", for: "admitted" },
    applies: ({ maxClicks }, { admitted }) => maxClicks !== null && admitted === undefined,
  },
  refuse(
    410,
    "max_clicks_reached",
    ({ maxClicks }, { admitted }) => maxClicks !== null && admitted !== undefined && admitted >= maxClicks,
  ),
  {
    answer: { does: "ask", for: "password" },
    applies: ({ passwordHash }, { password }) => passwordHash !== null && password === undefined,
  },
  refuse(403, "password_required", ({ passwordHash }, { password }) => passwordHash !== null && password === "absent"),
  refuse(
    403,
    "password_incorrect",
    ({ passwordHash }, { password }) => passwordHash !== null && password === "incorrect",
  ),
];

const ADMIT: GateAnswer = { does: "admit" };

/** Returns the answer of the first check that applies, so nothing is requested of a visit that would not matter. */
export function checkGate(gate: LinkGate, visit: GateVisit): GateAnswer {
  for (const { applies, answer } of CHECKS) if (applies(gate, visit)) return answer;
  return ADMIT;
}

/** True if the gate admits every visitor at any time. */
export const isAlwaysOpen = (gate: LinkGate): boolean =>
  gate.startsAt === null && gate.expiresAt === null && checkGate(gate, { now: 0 }).does === "admit";

/** Lists all refusals that apply, in the order of the checks. */
export function blockers(gate: LinkGate, visit: GateVisit): Blocker[] {
  const applying = CHECKS.filter(({ applies }) => applies(gate, visit));
  return applying.flatMap(({ answer }) => (answer.does === "refuse" ? [answer.refusal.reason] : []));
}
