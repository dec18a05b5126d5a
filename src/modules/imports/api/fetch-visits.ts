/**
 * Counts the visits of fetched links by day, once all links are listed. Each step requests a page of visits for
 * `LINKS_AT_ONCE` links; one transaction stores what they add and how far the links are. A link whose request failed is
 * in the next step again. If only such links are left and keep failing while the service lists links, they come without
 * their days; those that it refuses do at once, and all others, too, if it refuses all of the first step: then the key
 * may not read visits. The days are added to the links in the stored pages.
 *
 * Bounds: `VISITS_MAX` visits per link, `VISITS_MS_MAX` for all: links whose visits are not counted by then come without
 * their days, by how far the state says that they are. A crash loses one step.
 */
import { FIRST_CURSOR, nextRequest, readAnswer } from "@/core/imports/apis/api";
import { countVisits, NO_VISITS, VISITS_MAX } from "@/core/imports/apis/visits";
import { SourceRecord } from "@/core/imports/record";
import { DAY_MS } from "@/core/time/time-range";
import type { FetchState, VisitsState } from "@/platform/db/schema/links/imports";
import { readChunk } from "../store";
import { type AskFault, ask } from "./ask";
import { failed, isLastFailure, rewritePage, type Scene, storePage, UNFAILED } from "./fetch-state";

type Visits = NonNullable<Scene["api"]["visits"]>;
type OpenLink = VisitsState["open"][number];
interface ItemPlace {
  page: number;
  place: number;
}
/** The item with its days, or how far its visits are counted. */
type Outcome = { item: unknown } | { next: OpenLink } | AskFault;

/** Since the first request. There may be a hundred requests for each of a million links. */
const VISITS_MS_MAX = 7 * DAY_MS;
/** As many concurrent requests as a browser makes to one host. */
const LINKS_AT_ONCE = 6;
const FIRST: VisitsState = { page: 0, next: 0, open: [] };

/** Does one step and returns how long to wait before the next. The state is done after the last one. */
export async function fetchVisits(scene: Scene, state: FetchState, visits: Visits): Promise<number> {
  const { db, lease, job } = scene;
  const { visits: at = FIRST, ...others } = state;
  if (scene.clock() - (state.startedAt ?? 0) > VISITS_MS_MAX)
    return storePage(scene, { ...state, visits: at, isDone: true, seen: [] }, []);
  const chunk = at.page < state.pages ? await readChunk(db, job, at.page - 1) : undefined;
  if (!chunk) return storePage(scene, { ...others, isDone: true, seen: [] }, []);
  const items: unknown[] = JSON.parse(new TextDecoder().decode(chunk.content));
  const { open, upTo } = opened(visits, items, at);
  await lease.renew(db);
  const asked = open.map(async (link) => ({ link, outcome: await counted(scene, visits, items[link.place], link) }));
  const outcomes = await Promise.all(asked);
  const faults = outcomes.flatMap(({ outcome }) => ("fault" in outcome ? [outcome] : []));
  const fault = faults.find(({ isLimited }) => isLimited) ?? faults[0];
  const hasFailed = fault && faults.length === outcomes.length;
  const areRefused = faults.every(({ isRefused }) => isRefused);
  // Where all are refused, the key may have been revoked meanwhile: the list tells it from one that may not read visits.
  const isOver = hasFailed && (areRefused || isLastFailure(state, fault)) && (await answers(scene));
  if (hasFailed && !isOver) return failed(scene, state, fault);
  if (isOver && areRefused && at.page + at.next === 0 && open.length === LINKS_AT_ONCE)
    return storePage(scene, { ...state, visits: { ...at, isRefused: true }, isDone: true, seen: [], ...UNFAILED }, []);
  const still: OpenLink[] = [];
  for (const { link, outcome } of outcomes) {
    if ("fault" in outcome && isOver)
      items[link.place] = withoutDays(visits, items[link.place], areRefused ? "refused" : "failed");
    else if ("fault" in outcome) still.push(link);
    else if ("next" in outcome) still.push(outcome.next);
    else items[link.place] = outcome.item;
  }
  const isPageDone = still.length === 0 && upTo === items.length;
  const next = isPageDone ? { ...FIRST, page: at.page + 1 } : { page: at.page, next: upTo, open: still };
  const lost = (state.lost ?? 0) + (isOver ? faults.length : 0);
  const fetched = { ...state, visits: next, ...(lost > 0 && { lost }), ...UNFAILED };
  if (still.length === open.length) await storePage(scene, fetched, []);
  else await rewritePage(scene, fetched, { number: at.page, bytes: chunk.content.length, items });
  return isOver ? 0 : Math.max(0, ...faults.map(({ waitMs }) => waitMs ?? 0));
}

/**
 * True if the service lists links: then the fault is that of the links whose visits it does not list. Throws `FileFault`
 * if it refuses the key.
 */
async function answers({ api, asking }: Scene): Promise<boolean> {
  const request = nextRequest(api, asking.access, FIRST_CURSOR);
  const asked = request && (await ask(asking, request));
  return asked !== undefined && "body" in asked && readAnswer(api, FIRST_CURSOR, asked.body) !== undefined;
}

function withoutDays(visits: Visits, item: unknown, why: "failed" | "refused"): unknown {
  const record = SourceRecord.of(item);
  return record ? visits.into(record, why) : item;
}

/** Returns the links whose visits are counted next, and how far the page is then. */
function opened({ count }: Visits, items: readonly unknown[], { next, open }: VisitsState) {
  const links = [...open];
  let upTo = next;
  for (; upTo < items.length && links.length < LINKS_AT_ONCE; upTo++) {
    const record = SourceRecord.of(items[upTo]);
    if (record && count(record)) links.push({ place: upTo, ...NO_VISITS });
  }
  return { open: links, upTo };
}

/** Counts one more page. A link that no longer exists comes without its days. */
async function counted({ api, asking }: Scene, visits: Visits, item: unknown, link: OpenLink): Promise<Outcome> {
  const record = SourceRecord.of(item);
  const path = record && visits.path(record, link.page);
  if (!record || path === undefined) return { item };
  if ((visits.count(record) ?? 0) > VISITS_MAX) return { item: visits.into(record, "many") };
  const asked = await ask({ ...asking, isOfOne: true }, { path, headers: api.headers(asking.access) });
  if ("fault" in asked) return asked.isSaid ? { item } : asked;
  const page = visits.read(asked.body);
  if (!page) return { waitMs: null, fault: `${asking.title} returned a response without a list of visits` };
  if (page.total > VISITS_MAX) return { item: visits.into(record, "many") };
  const { next, isOver } = countVisits(link, page);
  return isOver ? { item: visits.into(record, next.days) } : { next: { place: link.place, ...next } };
}

/** Returns the item as it is imported if the visits of all links could not be counted, only up to `counted`. */
export function withoutLateDays(visits: Visits, counted: VisitsState, item: unknown, at: ItemPlace): unknown {
  const isBefore = at.page < counted.page || (at.page === counted.page && at.place < counted.next);
  const record = SourceRecord.of(item);
  if (!record || !visits.count(record)) return item;
  return isBefore && !counted.open.some(({ place }) => place === at.place)
    ? item
    : visits.into(record, counted.isRefused ? "refused" : "late");
}
