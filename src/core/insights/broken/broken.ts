/**
 * What is broken about links, those that nobody has visited yet among them: a launch should not be the first to find out.
 * Each check is certain of what it tells, or says how sure it is. What a fault costs is told in visits a day: those of the
 * last seven whole days that it touches, or those that are turned away. Whatever ended as planned, and is asked for by
 * nobody any more, is no fault.
 */
import type { BrokenCampaign, Level } from "@/contract/analytics/insights";
import { collapse } from "../collapse";
import { ENDS, unknownAddress } from "./broken-ends";
import { ROUTES } from "./broken-routes";
import type { BrokenQuestion, Check, LookedAt, RefusedAddress } from "./fault";

export const CAMPAIGNS_MAX = 200;

/** The most severe first, then what costs most. */
export function findBroken(
  links: readonly LookedAt[],
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
  return [...ofLinks, ...ofNone]
    .sort((a, b) => rank(a.severity) - rank(b.severity) || b.lostADay - a.lostADay || (a.id < b.id ? -1 : 1))
    .map(({ lostADay: _, ...campaign }) => campaign);
}

const rank = (level: Level) => ["high", "medium", "low"].indexOf(level);

/** What serves nobody any more has no other fault that matters. */
function checksOf({ link: { isActive, expiresAt } }: LookedAt, { now }: BrokenQuestion): Check[] {
  const hasEnded = !isActive || (expiresAt !== undefined && Date.parse(expiresAt) <= now);
  return hasEnded ? ENDS : [...ENDS, ...ROUTES, collapse];
}
