/**
 * Collects what each source finds about a destination: heuristics on the URL and the blocklist immediately, Web Risk
 * once it has responded.
 */
import type { Safety } from "@/contract/links/safety";
import { type KnownHosts, signsOf } from "@/core/safety/heuristics";
import { type Finding, type JudgedDestination, judge, storedWebRisk, webRiskId } from "@/core/safety/judge";
import type { Blocklist } from "@/platform/safety/blocklist";
import type { Threat, WebRisk } from "@/platform/safety/web-risk";
import { subjectOf } from "./subject";

export interface SafetySources extends KnownHosts {
  /** This is null without `BLOCKLIST_FILE`. */
  blocklist: Blocklist | null;
  /** This is null without `WEB_RISK_API_KEY`. */
  webRisk: WebRisk | null;
}

/** Results of Web Risk by URL. A URL is absent if it did not respond. */
export type Answers = ReadonlyMap<string, readonly Threat[]>;

const THREATS: Record<Threat, string> = {
  MALWARE: "malware",
  SOCIAL_ENGINEERING: "deception, such as phishing",
  UNWANTED_SOFTWARE: "unwanted software",
};

/**
 * Returns the link's safety from what is known now; `now` is in Unix milliseconds. If Web Risk has not responded for a
 * URL, its result in `before` stands.
 */
export function safetyOf(
  urls: readonly string[],
  sources: SafetySources,
  { answers, before, now }: { answers: Answers; before: Safety | null; now: number },
): Safety {
  return judge(
    urls.map((url) => foundOf(url, sources, answers, before)),
    now,
  );
}

function foundOf(url: string, sources: SafetySources, answers: Answers, before: Safety | null): JudgedDestination {
  const subject = subjectOf(url);
  if (!subject) return { url, listed: [], signs: [], isListChecked: false };
  const { blocklist, webRisk } = sources;
  const entry = blocklist?.find(subject.url);
  const threats = answers.get(url);
  const answered = threats?.map((threat) => threatFinding(subject.host, threat));
  const listed = [
    ...(entry === undefined ? [] : [blocklistFinding(subject.host, entry)]),
    ...(webRisk ? (answered ?? storedWebRisk(before, url)) : []),
  ];
  return { url, listed, signs: signsOf(subject, sources), isListChecked: blocklist !== null || threats !== undefined };
}

/** Returns those of the URLs that are on the blocklist. */
export const blocklisted = (urls: readonly string[], { blocklist }: SafetySources): string[] =>
  urls.filter((text) => {
    const url = URL.parse(text);
    return url !== null && blocklist?.find(url) !== undefined;
  });

const blocklistFinding = (host: string, entry: string): Finding => ({
  id: "blocklist",
  sentence: entry === host ? `${host} is on this service's blocklist` : `${host} is blocked here by the entry ${entry}`,
});

const threatFinding = (host: string, threat: Threat): Finding => ({
  id: webRiskId(threat),
  sentence: `Google Web Risk lists ${host} for ${THREATS[threat]}`,
});
