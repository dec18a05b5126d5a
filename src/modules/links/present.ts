import { Value } from "@sinclair/typebox/value";
import { CtaOverlay, LeadCapture, RetargetingPixel } from "@/contract/links/link-pages";
import type { Link } from "@/contract/links/links";
import { entityTag, withTag } from "@/http/headers/entity-tag";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import type { LinkRecord, LinkRow, NewLinkRow } from "./store";

/**
 * Returns the wire form of a link with its tag. Unset fields are omitted rather than null, because the contract's types
 * have no null.
 */
export function presentLink({ link, domain, clickCount }: LinkRecord, shortUrlOf: ShortUrlOf): Link {
  const shown = {
    _id: link.id,
    orgId: link.orgId,
    domainId: link.domainId,
    slug: link.slug,
    shortUrl: shortUrlOf(domain, link),
    ...ownFields(link),
    ...fittingPages(link),
    importedFrom: originOf(link),
    passwordProtected: link.passwordHash !== null,
    isActive: link.isActive,
    clickCount,
    clicksBefore: link.clicksBefore ?? undefined,
    safety: link.safety,
    createdAt: link.createdAt.toISOString(),
    updatedAt: link.updatedAt.toISOString(),
  };
  return withTag(shown, () => linkTag(link));
}

const originOf = ({ importedSource: source, importedId: id }: LinkRow) =>
  source === null || id === null ? undefined : { source, id };

/** Omits values that do not fit today's shapes: older rows were written when these fields could hold anything. */
const fittingPages = ({ leadCapture, ctaOverlay, retargetingPixels }: LinkRow) => ({
  leadCapture: leadCapture && Value.Check(LeadCapture, leadCapture) ? leadCapture : undefined,
  ctaOverlay: ctaOverlay && Value.Check(CtaOverlay, ctaOverlay) ? ctaOverlay : undefined,
  retargetingPixels: retargetingPixels.filter((pixel) => Value.Check(RetargetingPixel, pixel)),
});

/** Returns the entity tag, which covers everything that can be edited, including the password. */
export const linkTag = (link: LinkRow): string =>
  entityTag({ id: link.id, ...ownFields(link), isActive: link.isActive, password: link.passwordHash });

/**
 * Returns the fields that a customer sets: those that the record shows, a revision keeps, and changes are reported
 * by.
 */
export const ownFields = (link: NewLinkRow) => ({
  appProfileId: link.appProfileId ?? undefined,
  title: link.title ?? undefined,
  externalId: link.externalId ?? undefined,
  notes: link.notes ?? undefined,
  isArchived: link.isArchived,
  pathPrefix: link.pathPrefix || undefined,
  defaultUrl: link.defaultUrl,
  rules: link.rules,
  splitTargets: link.splitTargets,
  deepLinkPayload: link.deepLinkPayload ?? undefined,
  utm: link.utm ?? undefined,
  marketing: link.marketing ?? undefined,
  leadCapture: link.leadCapture ?? undefined,
  retargetingPixels: link.retargetingPixels,
  ctaOverlay: link.ctaOverlay ?? undefined,
  social: link.social ?? undefined,
  startsAt: link.startsAt?.toISOString(),
  expiresAt: link.expiresAt?.toISOString(),
  expiredUrl: link.expiredUrl ?? undefined,
  maxClicks: link.maxClicks ?? undefined,
  tags: link.tags,
});
