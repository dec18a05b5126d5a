/**
 * Asks Google Web Risk about one URL at a time (Lookup API, `uris.search`:
 * https://cloud.google.com/web-risk/docs/lookup-api). The key is sent in a header, so that no log of URLs ever
 * contains it.
 *
 * A match is cached until its `expireTime`, at most a day; the absence of one, for which Google states no time, for
 * five minutes. Bounds: `ANSWERS_MAX` cached results (by hash of the URL), `ASKING_MAX` requests at a time and
 * `WAITING_MAX` that wait, `TOTAL_MS_MAX` each. When Google reports that the quota is used up, no request is sent for
 * a minute, or for as long as Google says, up to ten minutes. A crash loses the cached results, which are then
 * requested again.
 */
import { createBoundedMap } from "../bounded-map";
import { type Clock, steadyClock } from "../clock";
import { limitConcurrency } from "../concurrency";
import { abortedError } from "../outbound/error";
import type { Outbound } from "../outbound/outbound";
import { quotaPauseMs } from "../outbound/quota-pause";

/** The lists that are checked: those whose matches Google allows to be shown as unsafe. */
export const THREATS = ["MALWARE", "SOCIAL_ENGINEERING", "UNWANTED_SOFTWARE"] as const;
export type Threat = (typeof THREATS)[number];

const TOTAL_MS_MAX = 5_000;
const ASKING_MAX = 8;
const WAITING_MAX = 2_000;
const ANSWERS_MAX = 50_000;
const NONE_MS = 300_000;
const MATCH_MS_MAX = 86_400_000;

export interface WebRisk {
  /**
   * Returns the lists that the URL is on. `isFresh` ignores what is cached. Rejects if Google gives no result, and at
   * once with an `OutboundError` if the signal aborts.
   */
  threatsOf(url: string, options?: { isFresh?: boolean; signal?: AbortSignal }): Promise<Threat[]>;
}

export interface WebRiskOptions {
  webRisk: { apiKey: string; apiUrl: string };
  outbound: Pick<Outbound, "request">;
  clock: Clock;
  /** For tests. */
  totalMs?: number;
}

export class WebRiskError extends Error {
  override name = "WebRiskError";
}

interface Kept {
  threats: Threat[];
  /** By the steadied clock. */
  until: number;
}

interface SearchAnswer {
  threat?: { threatTypes?: string[]; expireTime?: string } | null;
}

export function createWebRisk({ webRisk, outbound, clock, totalMs = TOTAL_MS_MAX }: WebRiskOptions): WebRisk {
  const answers = createBoundedMap<string, Kept>(ANSWERS_MAX);
  const limited = limitConcurrency({
    runningMax: ASKING_MAX,
    waitingMax: WAITING_MAX,
    refusal: () => new WebRiskError("Too many URLs are waiting for a check"),
  });
  const steady = steadyClock(clock);
  let pausedUntil = Number.NEGATIVE_INFINITY;

  return {
    async threatsOf(url, { isFresh = false, signal } = {}) {
      const key = new Bun.CryptoHasher("sha256").update(url).digest("base64url");
      const kept = isFresh ? undefined : answers.get(key);
      if (kept && steady() < kept.until) return kept.threats;
      const answer = await limited(() => ask(url, signal), signal).catch((error: unknown) => {
        throw signal?.aborted && error === signal.reason ? abortedError(error) : error;
      });
      answers.set(key, answer);
      return answer.threats;
    },
  };

  async function ask(uri: string, signal: AbortSignal | undefined): Promise<Kept> {
    if (steady() < pausedUntil) throw new WebRiskError("Web Risk's quota is used up for now");
    const query = new URLSearchParams({ uri });
    for (const threat of THREATS) query.append("threatTypes", threat);
    const { status, headers, body } = await outbound.request(`${webRisk.apiUrl}/v1/uris:search?${query}`, {
      headers: { "x-goog-api-key": webRisk.apiKey, accept: "application/json" },
      totalMs,
      signal,
    });
    if (status === 429) pausedUntil = steady() + quotaPauseMs(headers.get("retry-after"));
    if (status !== 200) throw new WebRiskError(`Web Risk returned ${status}`);
    return keptOf(readAnswer(body));
  }

  function keptOf({ threat }: SearchAnswer): Kept {
    const threats = THREATS.filter((one) => threat?.threatTypes?.includes(one));
    const now = steady();
    if (threats.length === 0) return { threats, until: now + NONE_MS };
    const leftMs = Date.parse(threat?.expireTime ?? "") - clock();
    return { threats, until: Number.isFinite(leftMs) ? now + Math.min(leftMs, MATCH_MS_MAX) : now };
  }
}

function readAnswer(body: Uint8Array): SearchAnswer {
  try {
    const answer: unknown = JSON.parse(new TextDecoder().decode(body));
    if (typeof answer === "object" && answer !== null) return answer;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new WebRiskError("Web Risk's response is not a JSON object");
}
