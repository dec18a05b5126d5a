/**
 * Everything the edge needs of one link: the form that is compiled in process and stored as a snapshot in Redis.
 * Plain JSON; instants are Unix milliseconds.
 */
import type { BioItem, BioTheme } from "@/contract/links/bio-pages";
import type { CtaOverlay, LeadCapture, RetargetingPixel } from "@/contract/links/link-pages";
import type { Social } from "@/contract/links/social";
import type { AppTarget, MarketingAttribution, RoutingRule, SplitTarget, Utm } from "@/contract/routing";

export interface LinkDefinition {
  id: string;
  /** Short enough for a match token. */
  number: number;
  /** Grows with every change; a lower version never replaces a higher one in a cache. */
  version: number;
  orgId: string;
  /**
   * Grows with every change of the organization's domains, apps or settings. An older value makes the entry stale, as
   * an older `version` does.
   */
  orgVersion: number;
  title: string | null;
  /** Absolute, with scheme and host; a destination must not point back to it. */
  shortUrl: string;
  /** Normalized by the URL parser when written: ASCII only, safe in a `Location` header. So are all destinations. */
  defaultUrl: string;
  /** Where visitors go once the link has ended. */
  expiredUrl: string | null;
  rules: RoutingRule[];
  splitTargets: SplitTarget[];
  deepLinkPayload: Record<string, unknown> | null;
  utm: Utm | null;
  marketing: MarketingAttribution | null;
  app: AppTarget | null;
  /** Whether the organization's settings add `wm_cid` to destinations. */
  appendClickId: boolean;
  /** The page shown before the destination or in its place; null for most links, which redirect immediately. */
  page: ServedPage | null;
  /** The card that unfurlers get instead of the redirect. */
  social: Social | null;
  gate: LinkGate;
}

export type ServedPage = StepsPage | ServedBioPage;

/** Pages on the way to the destination; those that are switched off are null. */
export interface StepsPage {
  kind: "steps";
  lead: LeadCapture | null;
  cta: CtaOverlay | null;
  pixels: RetargetingPixel[];
}

/**
 * A page in place of a destination. An item with its own URL is the split target with the item's key; an item that
 * leads to a link has that link's short URL.
 */
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
  /** argon2id, in the format of `Bun.password`. */
  passwordHash: string | null;
}
