/**
 * Finds faults of links, including links that nobody has visited yet, so that a launch is not the first to reveal
 * them. Each check is certain of what it reports, or states how certain it is. The cost of a fault is in visits per
 * day: those affected over the last seven whole days, or those turned away. Links that ended as planned, and that
 * nobody requests any more, are not faults.
 */
import type { BrokenCampaign, Level } from "@/contract/analytics/insights";
import { collapse } from "../collapse";
import { unverifiedDomain } from "./broken-domains";
import { ENDS, unknownAddress } from "./broken-ends";
import { BIO_PAGE_ROUTES, ROUTES } from "./broken-routes";
import type { BrokenQuestion, Check, ExaminedLink, RefusedAddress } from "./fault";

export const CAMPAIGNS_MAX = 200;

/** Sorts the most severe first, then the most costly. */
export function findBroken(
  links: readonly ExaminedLink[],
  question: BrokenQuestion,
  addresses: readonly RefusedAddress[] = [],
): BrokenCampaign[] {
  const ofLinks = links
    .filter(({ link }) => !link.isDeleted)
    .flatMap((looked) =>
      checksOf(looked, question)
        .flatMap((check) => check(looked, question))
        .map((finding) => ({ ...finding, id: `${finding.type}:${looked.link._id}`, linkId: looked.link._id })),
    );
  const ofNone = addresses.flatMap((each) =>
    unknownAddress(each, question).map((finding) => ({
      ...finding,
      id: `${finding.type}:${each.address}`,
      linkId: null,
    })),
  );
  const ofHosts = [...Map.groupBy(links, ({ unverifiedHost }) => unverifiedHost)].flatMap(([hostname, own]) =>
    hostname === undefined
      ? []
      : unverifiedDomain(hostname, own, question).map((finding) => ({
          ...finding,
          id: `${finding.type}:${hostname}`,
          linkId: null,
        })),
  );
  return [...ofLinks, ...ofHosts, ...ofNone]
    .sort((a, b) => rank(a.severity) - rank(b.severity) || b.lostADay - a.lostADay || (a.id < b.id ? -1 : 1))
    .map(({ lostADay: _, ...campaign }) => campaign);
}

const rank = (level: Level) => ["high", "medium", "low"].indexOf(level);

/** For a link that has ended for good, no other faults matter. One that turns everyone away has not lost its visitors. */
function checksOf({ link, admitted, unverifiedHost }: ExaminedLink, { now }: BrokenQuestion): Check[] {
  const { isActive, startsAt, expiresAt, maxClicks, isBioPage, safety } = link;
  if (!isActive || (expiresAt !== undefined && Date.parse(expiresAt) <= now)) return ENDS;
  const isUsedUp = maxClicks !== undefined && admitted >= maxClicks;
  const isEarly = startsAt !== undefined && Date.parse(startsAt) > now;
  const isOpen = !isUsedUp && !isEarly && safety.status !== "unsafe" && unverifiedHost === undefined;
  return [...ENDS, ...(isBioPage ? BIO_PAGE_ROUTES : ROUTES), ...(isOpen ? [collapse] : [])];
}
