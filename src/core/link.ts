/**
 * What the edge needs to know of one link, and nothing else: the shape that is compiled in process and kept as a
 * snapshot in Redis. Plain JSON; instants are Unix milliseconds.
 */
import type { AppTarget, MarketingAttribution, RoutingRule, SplitTarget, Utm } from "@/contract/routing";

export interface LinkDefinition {
  id: string;
  /** Short enough for a match token. */
  number: number;
  /** Grows with every change; a lower one never replaces a higher one in a cache. */
  version: number;
  orgId: string;
  /** Grows with every change of the organization's domains, apps or settings; an older one is outdated like the link's own. */
  orgVersion: number;
  title: string | null;
  /** Absolute, scheme and host included: what a destination must not point back to. */
  shortUrl: string;
  /** Destinations are normalised by the URL parser when written: ASCII only, safe in a `Location` header. */
  defaultUrl: string;
  rules: RoutingRule[];
  splitTargets: SplitTarget[];
  deepLinkPayload: Record<string, unknown> | null;
  utm: Utm | null;
  marketing: MarketingAttribution | null;
  app: AppTarget | null;
  /** Whether the organization's settings ask for `wm_cid` on destinations. */
  appendClickId: boolean;
  gate: LinkGate;
}

export interface LinkGate {
  isActive: boolean;
  isDomainVerified: boolean;
  isUnsafe: boolean;
  startsAt: number | null;
  expiresAt: number | null;
  maxClicks: number | null;
  /** argon2id, as `Bun.password` writes it. */
  passwordHash: string | null;
}
