/** Which of a link's destinations visitors get to, as the link is now. */
import type { Link } from "@/contract/links/links";
import { isCandidate } from "@/core/routing/split";
import { compileRules } from "@/core/rules/compile";
import { unreachableRules } from "../rules-reach";

interface Leading
  extends Pick<
    Link,
    "defaultUrl" | "rules" | "splitTargets" | "ctaOverlay" | "expiredUrl" | "expiresAt" | "maxClicks"
  > {
  /** The split targets of a bio page are its items. */
  isBioPage?: boolean;
}

/**
 * Returns each URL once. Leaves out split targets that are switched off or have weight 0, rules that can never apply and
 * all that comes after a rule for everyone, the default destination if the split leads everyone elsewhere, the button
 * of a call to action that is switched off, and the `expiredUrl` of a link that never ends.
 */
export const reachedUrls = (link: Leading): ReadonlySet<string> =>
  new Set(link.isBioPage ? urlsOfItems(link) : urlsOfLink(link));

const urlsOfItems = ({ splitTargets }: Leading): string[] =>
  splitTargets.filter(({ isActive }) => isActive !== false).map(({ destinationUrl }) => destinationUrl);

function urlsOfLink({ defaultUrl, expiredUrl, ctaOverlay, expiresAt, maxClicks, ...link }: Leading): string[] {
  const unreachable = new Set(unreachableRules(link.rules).map(({ index }) => index));
  const rules = compileRules(link.rules).filter(({ index }) => !unreachable.has(index));
  const isForEveryone = rules.some(({ conditions }) => conditions.length === 0);
  const targets = isForEveryone ? [] : link.splitTargets.filter(isCandidate);
  const canEnd = expiresAt !== undefined || maxClicks !== undefined;
  const reached = [
    !isForEveryone && targets.length === 0 && defaultUrl,
    canEnd && expiredUrl,
    ctaOverlay?.enabled === true && ctaOverlay.buttonUrl,
    ...[...rules, ...targets].map(({ destinationUrl }) => destinationUrl),
  ];
  return reached.filter((url) => typeof url === "string");
}
