import { describe, expect, test } from "bun:test";
import { blockers, checkGate, type GateVisit, type Refusal } from "@/core/routing/gate";
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

test("an open gate lets everyone through", () => {
  expect(checkGate(open, visit)).toBeNull();
  expect(blockers(open, visit)).toEqual([]);
});

test("a gate refuses in order, one thing after the other", () => {
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
    expect(checkGate(gate, { ...visit, admitted: 1 })).toEqual({ status, reason });
  }
});

test("a preview names every blocker in that order", () => {
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
    expect(checkGate({ ...open, startsAt: NOW }, visit)).toBeNull();
    expect(checkGate({ ...open, startsAt: NOW + 1 }, visit)?.reason).toBe("not_started");
  });

  test("ends at expiresAt", () => {
    expect(checkGate({ ...open, expiresAt: NOW + 1 }, visit)).toBeNull();
    expect(checkGate({ ...open, expiresAt: NOW }, visit)?.reason).toBe("expired");
  });

  test("is used up when all are admitted", () => {
    const gate = { ...open, maxClicks: 3 };
    expect(checkGate(gate, { ...visit, admitted: 2 })).toBeNull();
    expect(checkGate(gate, { ...visit, admitted: 3 })?.status).toBe(410);
  });

  test("is not counted here when nobody says how many were admitted", () => {
    expect(checkGate({ ...open, maxClicks: 1 }, visit)).toBeNull();
  });
});

describe("a password", () => {
  const gate = { ...open, passwordHash: "$argon2id$" };

  test("is asked for", () => {
    expect(checkGate(gate, visit)).toEqual({ status: 403, reason: "password_required" });
  });

  test("is refused when wrong", () => {
    expect(checkGate(gate, { ...visit, password: "incorrect" })).toEqual({ status: 403, reason: "password_incorrect" });
  });

  test("is let through when right", () => {
    expect(checkGate(gate, { ...visit, password: "correct" })).toBeNull();
  });

  test("does not matter where none is set", () => {
    expect(checkGate(open, { ...visit, password: "incorrect" })).toBeNull();
  });
});
