/**
 * What all that was found about a link's destinations comes to. Lists make a destination `unsafe`, which takes the link
 * down; signs alone never do more than `suspicious`, since they are wrong about honest sites, too. `safe` needs somebody
 * who was asked and found nothing. A link is as its worst destination.
 */
import type { Safety } from "@/contract/links/safety";

type Status = Safety["status"];

export interface Finding {
  /** Stable; what comes before the colon of a reason. */
  id: string;
  /** Names the host concerned. */
  sentence: string;
}

/** Describes one destination. */
export interface JudgedDestination {
  url: string;
  /** By lists: each makes the destination unsafe. */
  listed: readonly Finding[];
  /** Heuristics found these. */
  signs: readonly Finding[];
  /** Whether a list was asked about it, and answered. */
  isAsked: boolean;
}

const WORST_FIRST: readonly Status[] = ["unsafe", "suspicious", "unknown", "safe"];
const WEB_RISK = "web_risk_";

/** `now` is in Unix milliseconds. */
export function judge(found: readonly JudgedDestination[], now: number): Safety {
  const destinations = found.map(judgeOne);
  const telling = destinations.filter(({ reasons }) => reasons.length > 0);
  const status = WORST_FIRST.find((one) => destinations.some((destination) => destination.status === one));
  return {
    status: status ?? "unknown",
    reasons: [...new Set(telling.flatMap(({ reasons }) => reasons))],
    checkedAt: new Date(now).toISOString(),
    ...(telling.length > 0 && { destinations: telling }),
  };
}

function judgeOne({ url, listed, signs, isAsked }: JudgedDestination): {
  url: string;
  status: Status;
  reasons: string[];
} {
  const reasons = [...listed, ...signs].map(({ id, sentence }) => `${id}: ${sentence}`);
  if (listed.length > 0) return { url, status: "unsafe", reasons };
  if (signs.length > 0) return { url, status: "suspicious", reasons };
  return { url, status: isAsked ? "safe" : "unknown", reasons };
}

export const webRiskId = (threat: string): string => `${WEB_RISK}${threat.toLowerCase()}`;

/** What Web Risk said of a URL when it was last asked, by the safety kept: it stands until it answers anew. */
export function keptWebRisk(safety: Safety | null, url: string): Finding[] {
  const kept = safety?.destinations?.find((destination) => destination.url === url)?.reasons ?? [];
  return kept.filter((reason) => reason.startsWith(WEB_RISK)).map(findingOf);
}

function findingOf(reason: string): Finding {
  const colon = reason.indexOf(": ");
  return { id: reason.slice(0, colon), sentence: reason.slice(colon + 2) };
}

/** Of the destinations that a blocklist named when they were last looked at. */
export const blocklistedUrls = (safety: Safety): string[] =>
  (safety.destinations ?? [])
    .filter(({ reasons }) => reasons.some((reason) => reason.startsWith("blocklist: ")))
    .map(({ url }) => url);
