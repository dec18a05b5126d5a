/**
 * Looks at all links of the service once a blocklist is read anew. Which list was the last is kept in process alone: after a
 * crash the list that is there counts as new.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Safety } from "@/contract/links/safety";
import type { OrgId } from "@/core/ids";
import { type LeadingLink, urlsOf } from "@/core/safety/destinations";
import { blocklistedUrls } from "@/core/safety/judge";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import { blocklisted, type SafetySources } from "./sources";
import * as store from "./store";

/** A link may have a quarter of a megabyte. */
const SWEEP_PAGE = 200;
/** Between pages, so that a sweep leaves the event loop and Postgres to others. */
const SWEEP_PAUSE_MS = 5;
/** So long the other servers may take to read a new list; until then they make links by the former. */
const SETTLE_MS = 15_000;
const NO_ID = "00000000-0000-0000-0000-000000000000";

export interface SweepOptions extends SafetySources {
  db: Db;
  clock: Clock;
}

type CheckLink = (orgId: OrgId, id: string, how: { signal: AbortSignal; isLocal: true }) => Promise<unknown>;

export function createSweep(options: SweepOptions, check: CheckLink) {
  const { db, clock, blocklist } = options;
  let sweptGeneration = 0;

  /**
   * Looks at the links that the present blocklist names and the former did not, or the reverse; reads all links of the
   * service for it, once a list. Web Risk is asked later, so that nothing that is listed is served for as long as it is
   * slow. How many were looked at; undefined when there is no new list.
   */
  return async function sweep(signal: AbortSignal): Promise<number | undefined> {
    if (blocklist === null || blocklist.generation === sweptGeneration) return undefined;
    if (clock() - blocklist.readAt < SETTLE_MS) return undefined;
    const { generation } = blocklist;
    let changed = 0;
    for (let after = NO_ID; ; ) {
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
