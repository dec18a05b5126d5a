import { describe, expect, test } from "bun:test";
import { blockers, checkGate, type GateVisit, isAlwaysOpen, type Refusal } from "@/core/routing/gate";
import type { LinkGate } from "@/core/routing/link";

const NOW = Date.UTC(2026, 5, 10, 12);
const open: LinkGate = {
  isActive: true,
  isDomainVerified: true,
  isUnsafe: false,
  startsAt: null,
  expiresAt: null,
  maxClicks: null,
  passwordHash: null,
};
const shut: LinkGate = {
  isActive: false,
  isDomainVerified: false,
  isUnsafe: true,
  startsAt: NOW + 1,
  expiresAt: NOW,
  maxClicks: 1,
  passwordHash: "$argon2id$",
};
const visit: GateVisit = { now: NOW, password: "absent" };

const refused = (gate: LinkGate, known: GateVisit): Refusal | undefined => {
  const answer = checkGate(gate, known);
  return answer.does === "refuse" ? answer.refusal : undefined;
};

test("an open gate admits everyone", () => {
  expect(checkGate(open, visit)).toEqual({ does: "admit" });
  expect(blockers(open, visit)).toEqual([]);
});

test("a gate with any restriction is not always open, even if it admits visits now", () => {
  expect(isAlwaysOpen(open)).toBe(true);
  const closings = Object.keys(shut).map((name) => ({ [name]: shut[name as keyof LinkGate] }));
  const passing = [{ startsAt: 0 }, { startsAt: NOW - 1 }, { expiresAt: NOW + 1 }, { maxClicks: 0 }];
  for (const closing of [...closings, ...passing]) expect(isAlwaysOpen({ ...open, ...closing })).toBe(false);
});

test("a gate checks its conditions in a fixed order", () => {
  const repairs: [Partial<LinkGate>, Refusal["status"], Refusal["reason"]][] = [
    [{}, 404, "domain_unverified"],
    [{ isDomainVerified: true }, 404, "inactive"],
    [{ isActive: true }, 403, "unsafe"],
    [{ isUnsafe: false }, 404, "not_started"],
    [{ startsAt: null }, 410, "expired"],
    [{ expiresAt: null }, 410, "max_clicks_reached"],
    [{ maxClicks: null }, 403, "password_required"],
  ];
  let gate = shut;
  for (const [repair, status, reason] of repairs) {
    gate = { ...gate, ...repair };
    expect(refused(gate, { ...visit, admitted: 1 })).toEqual({ status, reason });
  }
});

test("a preview lists every blocker in that order", () => {
  expect(blockers(shut, { ...visit, admitted: 1 })).toEqual([
    "domain_unverified",
    "inactive",
    "unsafe",
    "not_started",
    "expired",
    "max_clicks_reached",
    "password_required",
  ]);
});

describe("a link", () => {
  test("starts at startsAt", () => {
    expect(checkGate({ ...open, startsAt: NOW }, visit).does).toBe("admit");
    expect(refused({ ...open, startsAt: NOW + 1 }, visit)?.reason).toBe("not_started");
  });

  test("ends at expiresAt", () => {
    expect(checkGate({ ...open, expiresAt: NOW + 1 }, visit).does).toBe("admit");
    expect(refused({ ...open, expiresAt: NOW }, visit)?.reason).toBe("expired");
  });

  test("is used up after maxClicks visits", () => {
    const gate = { ...open, maxClicks: 3 };
    expect(checkGate(gate, { ...visit, admitted: 2 }).does).toBe("admit");
    expect(refused(gate, { ...visit, admitted: 3 })?.status).toBe(410);
  });

  test("with maxClicks needs the number of admitted visits", () => {
    expect(checkGate({ ...open, maxClicks: 1 }, visit)).toEqual({ does: "ask", for: "admitted" });
    expect(blockers({ ...open, maxClicks: 1 }, visit)).toEqual([]);
  });
});

describe("what is not known yet", () => {
  const gate = { ...open, maxClicks: 1, passwordHash: "$argon2id$" };

  test("is asked for in order: room first, then the password", () => {
    expect(checkGate(gate, { now: NOW })).toEqual({ does: "ask", for: "admitted" });
    expect(checkGate(gate, { now: NOW, admitted: 0 })).toEqual({ does: "ask", for: "password" });
    expect(checkGate(gate, { now: NOW, admitted: 0, password: "correct" })).toEqual({ does: "admit" });
  });

  test("is not asked for if the visit is refused anyway", () => {
    expect(refused({ ...gate, isActive: false }, { now: NOW })?.reason).toBe("inactive");
    expect(refused(gate, { now: NOW, admitted: 1 })?.reason).toBe("max_clicks_reached");
  });
});

describe("a password", () => {
  const gate = { ...open, passwordHash: "$argon2id$" };

  test("is required", () => {
    expect(refused(gate, visit)).toEqual({ status: 403, reason: "password_required" });
  });

  test("is refused if wrong", () => {
    expect(refused(gate, { ...visit, password: "incorrect" })).toEqual({ status: 403, reason: "password_incorrect" });
  });

  test("is accepted if correct", () => {
    expect(checkGate(gate, { ...visit, password: "correct" }).does).toBe("admit");
  });

  test("is ignored if none is set", () => {
    expect(checkGate(open, { ...visit, password: "incorrect" }).does).toBe("admit");
  });
});
