/**
 * Combines all findings about a link's destinations. Only lists make a destination `unsafe`, which takes the link
 * down; signs never make it more than `suspicious`, because they can be wrong about honest sites. `safe` requires
 * that a list was checked and had no entry. A link has the status of its worst destination.
 */
import type { Safety } from "@/contract/links/safety";

type Status = Safety["status"];

export interface Finding {
  /** Stable; the part of a reason before the colon. */
  id: string;
  /** Names the host concerned. */
  sentence: string;
}

/** The findings about one destination. */
export interface JudgedDestination {
  url: string;
  /** From lists: any of them makes the destination unsafe. */
  listed: readonly Finding[];
  /** From heuristics. */
  signs: readonly Finding[];
  /** Whether a list was checked for this destination and responded. */
  isListChecked: boolean;
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

function judgeOne({ url, listed, signs, isListChecked }: JudgedDestination): {
  url: string;
  status: Status;
  reasons: string[];
} {
  const reasons = [...listed, ...signs].map(({ id, sentence }) => `${id}: ${sentence}`);
  if (listed.length > 0) return { url, status: "unsafe", reasons };
  if (signs.length > 0) return { url, status: "suspicious", reasons };
  return { url, status: isListChecked ? "safe" : "unknown", reasons };
}

export const webRiskId = (threat: string): string => `${WEB_RISK}${threat.toLowerCase()}`;

/** Returns Web Risk's last findings on a URL from the stored safety; they stay valid until Web Risk responds again. */
export function storedWebRisk(safety: Safety | null, url: string): Finding[] {
  const kept = safety?.destinations?.find((destination) => destination.url === url)?.reasons ?? [];
  return kept.filter((reason) => reason.startsWith(WEB_RISK)).map(findingOf);
}

function findingOf(reason: string): Finding {
  const colon = reason.indexOf(": ");
  return { id: reason.slice(0, colon), sentence: reason.slice(colon + 2) };
}

/** Returns the destinations that a blocklist contained when they were last checked. */
export const blocklistedUrls = (safety: Safety): string[] =>
  (safety.destinations ?? [])
    .filter(({ reasons }) => reasons.some((reason) => reason.startsWith("blocklist: ")))
    .map(({ url }) => url);
