import type { LinkGate } from "@/core/routing/link";
import type { domains, links } from "../db/schema";

type GateRow = Pick<
  typeof links.$inferSelect,
  "isActive" | "safety" | "startsAt" | "expiresAt" | "maxClicks" | "passwordHash"
>;

export const gateOf = (link: GateRow, domain: Pick<typeof domains.$inferSelect, "isVerified">): LinkGate => ({
  isActive: link.isActive,
  isDomainVerified: domain.isVerified,
  isUnsafe: link.safety.status === "unsafe",
  startsAt: link.startsAt?.getTime() ?? null,
  expiresAt: link.expiresAt?.getTime() ?? null,
  maxClicks: link.maxClicks,
  passwordHash: link.passwordHash,
});
