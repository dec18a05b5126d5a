import type { LinkWithBlockers } from "@/contract/links/link-lists";
import { plural } from "@/core/plural";

/** Returns what somebody who prints the link's code should know about the link, one sentence each. */
export function linkWarnings(link: LinkWithBlockers, now: number): string[] {
  const { isActive, startsAt, expiresAt, expiredUrl, safety, passwordProtected, maxClicks, blockers } = link;
  const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= now;
  const isUsedUp = blockers.includes("max_clicks_reached");
  return [
    ...(blockers.includes("domain_unverified")
      ? ["The link's domain is not verified: its code does not lead to its destination."]
      : []),
    ...(isActive ? [] : ["The link is not active: its code does not lead to its destination."]),
    ...(startsAt !== undefined && Date.parse(startsAt) > now ? [`The link starts working at ${startsAt}.`] : []),
    ...(isOver ? [`The link has expired: its code ${endOf(expiredUrl)}.`] : []),
    ...(expiresAt !== undefined && !isOver ? [`The link expires at ${expiresAt}; a printed code may outlive it.`] : []),
    ...(isUsedUp ? [`The link has had its last visit: its code ${endOf(expiredUrl)}.`] : []),
    ...(maxClicks === undefined || isUsedUp ? [] : [`The link stops working after ${plural(maxClicks, "visit")}.`]),
    ...(safety.status === "unsafe" ? ["The link is marked as unsafe and does not work."] : []),
    ...(passwordProtected ? ["Anyone who scans the code has to enter the link's password."] : []),
  ];
}

/** Its domain may lead visitors somewhere, too, so it says no more than what is certain. */
const endOf = (expiredUrl: string | undefined): string =>
  expiredUrl === undefined ? "no longer leads to its destination" : `leads to ${expiredUrl} now`;
