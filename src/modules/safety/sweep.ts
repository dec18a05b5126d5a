/**
 * Compares all links of the service with the blocklist whenever that has been read again. Which list was compared last
 * is kept in memory only: after a crash, the current list counts as new.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Safety } from "@/contract/links/safety";
import { LEAST_ID, type OrgId } from "@/core/ids";
import { type LeadingLink, urlsOf } from "@/core/safety/destinations";
import { blocklistedUrls } from "@/core/safety/judge";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import { blocklisted, type SafetySources } from "./sources";
import * as store from "./store";

/** Links read at a time. One may have a quarter of a megabyte. */
const SWEEP_PAGE = 200;
/** Pause between pages, which leaves the event loop and Postgres to others. */
const SWEEP_PAUSE_MS = 5;
/** Other servers may take this long to read a new list, and create links by the old one until then. */
const SETTLE_MS = 15_000;

export interface SweepOptions extends SafetySources {
  db: Db;
  clock: Clock;
}

type CheckLink = (orgId: OrgId, id: string, how: { signal: AbortSignal; isLocal: true }) => Promise<unknown>;

export function createSweep(options: SweepOptions, check: CheckLink) {
  const { db, clock, blocklist } = options;
  let sweptGeneration = 0;

  /**
   * Checks the links that are on the current blocklist and were not on the previous one, or the reverse. For that, it
   * reads all links of the service, once per list. It does not wait for Web Risk, so that no listed link keeps being
   * served while that is slow. Returns how many links it checked, or undefined if there is no new list.
   */
  return async function sweep(signal: AbortSignal): Promise<number | undefined> {
    if (blocklist === null || blocklist.generation === sweptGeneration) return undefined;
    const settledMs = clock() - blocklist.readAt;
    // It was read later than now if the clock has been set back.
    if (settledMs >= 0 && settledMs < SETTLE_MS) return undefined;
    const { generation } = blocklist;
    let changed = 0;
    for (let after = LEAST_ID; ; ) {
      const page = await store.linksAfter(db, after, SWEEP_PAGE);
      for (const link of page.filter((link) => isOtherwiseListed(options, link))) {
        signal.throwIfAborted();
        await check(link.orgId, link.id, { signal, isLocal: true });
        changed += 1;
      }
      const last = page.at(-1);
      if (!last || page.length < SWEEP_PAGE) break;
      after = last.id;
      await sleep(SWEEP_PAUSE_MS, undefined, { signal });
    }
    sweptGeneration = generation;
    return changed;
  };
}

function isOtherwiseListed(sources: SafetySources, link: LeadingLink & { safety: Safety }): boolean {
  const [now, before] = [blocklisted(urlsOf(link), sources), blocklistedUrls(link.safety)];
  return now.length !== before.length || now.some((url) => !before.includes(url));
}
