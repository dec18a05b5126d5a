/**
 * Checks whether links still lead somewhere. The destinations of a link that was visited in the last 30 days are
 * checked once a day; if one fails for the first time, again after an hour, because a single failure may be chance. A
 * link that nobody visits is checked once when it is new or its destinations have changed, and after that only while
 * one of them fails. Unvisited links have a separate schedule (`destinations_ask_at`) and a separate job with a bounded
 * rate, so that they never delay the others. Of a link that has expired, only its `expiredUrl` is checked. Items of a
 * bio page are the destinations of a link that is visited whenever somebody follows one of them.
 *
 * A link is due (`destinations_checked_at` is null or older than a day) or not. A check reads the link, sends its
 * requests outside any transaction, and writes the results only if the link is as it was read; otherwise the link
 * stays due. So no result is shown for destinations that a link no longer has. A check takes `LINK_MS_MAX` at most,
 * less than a run of the job: destinations not requested by then wait for the next check, so that a link with many
 * slow destinations is not started over and over while others wait. A crash loses only the running checks.
 */
import type { Sql } from "postgres";
import { LEAST_ID } from "@/core/ids";
import { APART_MS_MIN, isDead, isInDoubt, nextState } from "@/core/insights/broken/destination-health";
import { comparedHostname, hostnameOf } from "@/core/names/hostname";
import { urlsOf } from "@/core/safety/destinations";
import { DAY_MS } from "@/core/time/time-range";
import { latestBelieved } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import type { Db } from "@/platform/db/tx";
import { type AskDestination, type AskOptions, createAsk } from "./ask";
import { type DueDestination, type DuePage, takeDue, takeUnvisited } from "./due";
import * as store from "./store";

export { readChecks } from "./store";

const CHECK_EVERY_MS = DAY_MS;
const VISITED_WITHIN_MS = 30 * DAY_MS;
/** Links read per query to find due ones, and the number of such queries per batch. */
const PAGE = 1_000;
const PAGES_MAX = 20;
/** Destinations checked per link, which may have more than seventy. */
const URLS_MAX = 30;
const LINK_MS_MAX = 30_000;
const NOTHING_DUE: DuePage = { due: [], looked: 0 };

export interface DestinationCheckerOptions extends AskOptions {
  sql: Sql;
  db: Drizzle;
  /** Time for all destinations of a link. Tests shorten it. */
  linkMs?: number;
}

export type DestinationOutcome = "well" | "failing" | "dead" | "changed" | "gone";

export function createDestinationChecker(options: DestinationCheckerOptions) {
  const { sql, db, clock } = options;
  const ask = createAsk(options);
  /**
   * The organization that had the last turn among those with unvisited links. Lost in a crash: turns then start over.
   */
  let lastTurn = LEAST_ID;

  /** Returns the next links to check, of all organizations. */
  async function due(limit: number): Promise<DueDestination[]> {
    const now = clock();
    const query = {
      now: new Date(now),
      before: new Date(now - CHECK_EVERY_MS),
      ahead: latestBelieved(now),
      visitedSince: new Date(now - VISITED_WITHIN_MS),
      page: PAGE,
    };
    let due: DueDestination[] = [];
    for (let page = 1; page <= PAGES_MAX && due.length < limit; page++) {
      const taken = await takeDue(sql, query);
      due = taken.due;
      if (taken.looked < PAGE) break;
    }
    return due.slice(0, limit);
  }

  /** Returns the next links to check although nobody visits them. */
  async function dueUnvisited(limit: number): Promise<DueDestination[]> {
    const take = (after: string) => takeUnvisited(sql, { now: new Date(clock()), after, page: limit });
    for (let page = 1; page <= PAGES_MAX; page++) {
      const following = await take(lastTurn);
      const isEnd = following.looked < limit;
      const more = isEnd && lastTurn !== LEAST_ID ? await take(LEAST_ID) : NOTHING_DUE;
      const known = new Set(following.due.map(({ id }) => id));
      const due = [...following.due, ...more.due.filter(({ id }) => !known.has(id))].slice(0, limit);
      // Links that were just put off have made room for others.
      if (due.length < limit && !(isEnd && more.looked < limit)) continue;
      lastTurn = due.at(-1)?.orgId ?? LEAST_ID;
      return due;
    }
    return [];
  }

  /** Rejects if the signal aborts. */
  async function recheck({ orgId, id }: DueDestination, signal: AbortSignal): Promise<DestinationOutcome> {
    const link = await store.findCheckedLink(db, orgId, id);
    if (!link) return "gone";
    const before = (await store.readChecks(db, orgId, [id])).get(id) ?? [];
    const checks = await checkAll(ask, options, await foreignUrls(db, servedUrls(link, clock())), before, signal);
    const now = clock();
    const isSoon = checks.some(isInDoubt);
    const checkedAt = new Date(isSoon ? now - CHECK_EVERY_MS + APART_MS_MIN : now);
    const isWell = checks.every(({ status }) => status === "ok");
    const askAt = isWell ? null : new Date(now + (isSoon ? APART_MS_MIN : CHECK_EVERY_MS));
    const isKept = await store.replaceChecks(db, {
      orgId,
      linkId: id,
      version: link.version,
      checkedAt,
      askAt,
      checks,
    });
    if (!isKept) return "changed";
    if (checks.some(isDead)) return "dead";
    return isWell ? "well" : "failing";
  }

  return { due, dueUnvisited, recheck };
}

/** Checks one URL after the other. A URL without a result keeps its previous one, if any. */
async function checkAll(
  ask: AskDestination,
  { clock, linkMs = LINK_MS_MAX }: DestinationCheckerOptions,
  urls: readonly string[],
  before: readonly store.KnownCheck[],
  signal: AbortSignal,
) {
  const checks: store.KnownCheck[] = [];
  const late = AbortSignal.timeout(linkMs);
  for (const url of urls) {
    const outcome = await askInTime(ask, url, late, signal);
    const former = before.find((check) => check.url === url);
    const check = outcome ? { url, ...nextState(former, outcome, clock()) } : former;
    if (check) checks.push(check);
  }
  return checks;
}

/** Also resolves to undefined once the link's time is over. */
async function askInTime(ask: AskDestination, url: string, late: AbortSignal, signal: AbortSignal) {
  try {
    return await ask(url, AbortSignal.any([signal, late]));
  } catch (error) {
    if (late.aborted && !signal.aborted) return undefined;
    throw error;
  }
}

/** Returns where the link leads at `now`: once it has expired, only to its `expiredUrl`. */
function servedUrls(link: store.CheckedLink, now: number): string[] {
  const { expiresAt, expiredUrl } = link;
  if (expiresAt === null || expiresAt.getTime() > now) return urlsOf(link);
  return expiredUrl === null ? [] : [expiredUrl];
}

/** Leaves out short links of this service, because requesting one would be a visit. */
async function foreignUrls(db: Db, urls: readonly string[]): Promise<string[]> {
  const hostOf = (url: string) => comparedHostname(hostnameOf(url));
  const served = await store.servedAmong(db, urls.map(hostOf));
  return urls.filter((url) => !served.has(hostOf(url))).slice(0, URLS_MAX);
}
