/** Judges URLs that no link leads to, such as a domain's redirects. Nothing is kept of what is found. */
import type { Safety } from "@/contract/links/safety";
import type { Clock } from "@/platform/clock";
import type { Threat } from "@/platform/safety/web-risk";
import type { Log } from "@/platform/telemetry/log";
import { blocklisted, type SafetySources, safetyOf } from "./sources";

/** Somebody waits for it. */
const ASKED_MS_MAX = 5_000;

export interface UrlJudgeOptions extends SafetySources {
  clock: Clock;
  log: Log;
}

export function createUrlJudge(options: UrlJudgeOptions) {
  const { webRisk, clock, log } = options;
  return {
    /** What all sources say; without Web Risk where that does not answer in time. */
    async judgeUrl(url: string): Promise<Safety> {
      const threats = await threatsOf(url);
      return safetyOf([url], options, { answers: new Map(threats && [[url, threats]]), before: null, now: clock() });
    },

    /** By the blocklist as it is now. Asks nobody. */
    isListed: (url: string): boolean => blocklisted([url], options).length > 0,
  };

  async function threatsOf(url: string): Promise<Threat[] | undefined> {
    try {
      return await webRisk?.threatsOf(url, { signal: AbortSignal.timeout(ASKED_MS_MAX) });
    } catch (error) {
      log.warn("Google Web Risk did not respond", { error });
      return undefined;
    }
  }
}
