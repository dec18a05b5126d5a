/**
 * What the edge needs to know of one link, and nothing else: the shape that is compiled in process and kept as a
 * snapshot in Redis. Plain JSON; instants are Unix milliseconds.
 */
import type { BioItem, BioTheme } from "@/contract/links/bio-pages";
import type { CtaOverlay, LeadCapture, RetargetingPixel } from "@/contract/links/link-pages";
import type { Social } from "@/contract/links/social";
import type { AppTarget, MarketingAttribution, RoutingRule, SplitTarget, Utm } from "@/contract/routing";

export interface LinkDefinition {
  id: string;
  /** The number is short enough for a match token. */
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
  /** Where visitors go once the link has ended. */
  expiredUrl: string | null;
  rules: RoutingRule[];
  splitTargets: SplitTarget[];
  deepLinkPayload: Record<string, unknown> | null;
  utm: Utm | null;
  marketing: MarketingAttribution | null;
  app: AppTarget | null;
  /** Whether the organization's settings ask for `wm_cid` on destinations. */
  appendClickId: boolean;
  /** What visitors see before the destination, or in its place; null for the many links that lead on at once. */
  page: ServedPage | null;
  /** What unfurlers are shown in place of the redirect. */
  social: Social | null;
  gate: LinkGate;
}

export type ServedPage = StepsPage | ServedBioPage;

/** On the way to the destination; those that are off are null. */
export interface StepsPage {
  kind: "steps";
  lead: LeadCapture | null;
  cta: CtaOverlay | null;
  pixels: RetargetingPixel[];
}

/** In place of one. An item with a URL of its own is the split target of its key; one of a link has that link's short URL. */
export interface ServedBioPage {
  kind: "bio";
  bio: string | null;
  theme: BioTheme;
  items: (BioItem & { linkUrl?: string })[];
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
