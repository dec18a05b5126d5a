/** Everywhere a link may send a visitor by what its owner wrote. */
import type { CtaOverlay } from "@/contract/links/link-pages";
import type { RoutingRule, SplitTarget } from "@/contract/routing";

export interface LeadingLink {
  /** A bio page's default destination is the page itself, where it leads nobody. */
  kind?: "link" | "bio_page";
  defaultUrl: string;
  expiredUrl?: string | null;
  rules?: readonly RoutingRule[] | null;
  splitTargets?: readonly SplitTarget[] | null;
  ctaOverlay?: Pick<CtaOverlay, "buttonUrl"> | null;
}

interface Destination {
  /** As errors name it. */
  field: string;
  url: string;
}

/** In the order of the link's fields; the same URL as often as it stands there. */
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

/** Lists each URL once. */
export const urlsOf = (link: LeadingLink): string[] => [...new Set(destinationsOf(link).map(({ url }) => url))];
