/** Lists every destination that a link's owner has configured. */
import type { CtaOverlay } from "@/contract/links/link-pages";
import type { RoutingRule, SplitTarget } from "@/contract/routing";

export interface LeadingLink {
  /** A bio page's default destination is the page itself, so it leads nowhere. */
  kind?: "link" | "bio_page";
  defaultUrl: string;
  expiredUrl?: string | null;
  rules?: readonly RoutingRule[] | null;
  splitTargets?: readonly SplitTarget[] | null;
  ctaOverlay?: Pick<CtaOverlay, "buttonUrl"> | null;
}

interface Destination {
  /** Field name as used in error messages. */
  field: string;
  url: string;
}

/** Returns the destinations in the order of the link's fields, with duplicates. */
export function destinationsOf(link: LeadingLink): Destination[] {
  const { kind, defaultUrl, expiredUrl, rules, splitTargets, ctaOverlay } = link;
  const { buttonUrl } = ctaOverlay ?? {};
  return [
    ...(kind === "bio_page" ? [] : [{ field: "defaultUrl", url: defaultUrl }]),
    ...(expiredUrl ? [{ field: "expiredUrl", url: expiredUrl }] : []),
    ...(buttonUrl ? [{ field: "ctaOverlay.buttonUrl", url: buttonUrl }] : []),
    ...(rules ?? []).map((rule, index) => ({ field: `rules[${index}].destinationUrl`, url: rule.destinationUrl })),
    ...(splitTargets ?? []).map((target, index) => ({
      field: `splitTargets[${index}].destinationUrl`,
      url: target.destinationUrl,
    })),
  ];
}

/** Returns each URL once. */
export const urlsOf = (link: LeadingLink): string[] => [...new Set(destinationsOf(link).map(({ url }) => url))];
