/** Judges URLs that do not belong to a link, such as a domain's redirects. Nothing is stored. */
import type { Safety } from "@/contract/links/safety";
import type { Clock } from "@/platform/clock";
import type { Threat } from "@/platform/safety/web-risk";
import type { Log } from "@/platform/telemetry/log";
import { blocklisted, type SafetySources, safetyOf } from "./sources";

/** Short, because a client waits for the result. */
const ASKED_MS_MAX = 5_000;

export interface UrlJudgeOptions extends SafetySources {
  clock: Clock;
  log: Log;
}

export function createUrlJudge(options: UrlJudgeOptions) {
  const { webRisk, clock, log } = options;
  return {
    /** Returns the verdict of all sources, without Web Risk if that does not respond in time. */
    async judgeUrl(url: string): Promise<Safety> {
      const threats = await threatsOf(url);
      return safetyOf([url], options, { answers: new Map(threats && [[url, threats]]), before: null, now: clock() });
    },

    /** True if the URL is on the current blocklist. Sends no request. */
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
