import type { Link } from "@/contract/links/links";

/** What whoever prints a link's code had better know of the link, a sentence each. */
export function linkWarnings(link: Link, now: number): string[] {
  const { isActive, startsAt, expiresAt, safety, passwordProtected, maxClicks } = link;
  const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= now;
  return [
    ...(isActive ? [] : ["The link is not active: its code leads nowhere."]),
    ...(startsAt !== undefined && Date.parse(startsAt) > now ? [`The link begins to work at ${startsAt}.`] : []),
    ...(isOver ? ["The link has expired: its code leads nowhere."] : []),
    ...(expiresAt !== undefined && !isOver ? [`The link expires at ${expiresAt}; a print may last longer.`] : []),
    ...(maxClicks === undefined ? [] : [`The link ends after ${maxClicks} visits.`]),
    ...(safety.status === "unsafe" ? ["The link is marked as unsafe and is not served."] : []),
    ...(passwordProtected ? ["Whoever scans the code is asked for the link's password."] : []),
  ];
}
