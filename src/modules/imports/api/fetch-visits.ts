/**
 * Counts the visits of fetched links by day, once all links are listed. Each step requests a page of visits for
 * `LINKS_AT_ONCE` links; one transaction stores what they add and how far the links are. The days are added to the
 * links in the stored pages.
 *
 * Bounds: `VISITS_MAX` visits per link. A crash loses one step.
 */
import { countVisits, NO_VISITS, VISITS_MAX } from "@/core/imports/apis/visits";
import { SourceRecord } from "@/core/imports/record";
import type { FetchState, VisitsState } from "@/platform/db/schema/links/imports";
import { readChunk } from "../store";
import { type AskFault, ask } from "./ask";
import { failed, rewritePage, type Scene, storePage, UNFAILED } from "./fetch-state";

type Visits = NonNullable<Scene["api"]["visits"]>;
type OpenLink = VisitsState["open"][number];
/** The item with its days, or how far its visits are counted. */
type Outcome = { item: unknown } | { next: OpenLink } | AskFault;

/** As many concurrent requests as a browser makes to one host. */
const LINKS_AT_ONCE = 6;
const FIRST: VisitsState = { page: 0, next: 0, open: [] };

/** Does one step and returns how long to wait before the next. The state is done after the last one. */
export async function fetchVisits(scene: Scene, state: FetchState, visits: Visits): Promise<number> {
  const { db, lease, job } = scene;
  const { visits: at = FIRST, ...others } = state;
  const chunk = at.page < state.pages ? await readChunk(db, job, at.page - 1) : undefined;
  if (!chunk) return storePage(scene, { ...others, isDone: true, seen: [] }, []);
  const items: unknown[] = JSON.parse(new TextDecoder().decode(chunk.content));
  const { open, upTo } = opened(visits, items, at);
  await lease.renew(db);
  const asked = open.map(async (link) => ({ link, outcome: await counted(scene, visits, items[link.place], link) }));
  const still: OpenLink[] = [];
  for (const { link, outcome } of await Promise.all(asked)) {
    if ("fault" in outcome) return failed(scene, state, outcome);
    if ("next" in outcome) still.push(outcome.next);
    else items[link.place] = outcome.item;
  }
  const isPageDone = still.length === 0 && upTo === items.length;
  const next = isPageDone ? { ...FIRST, page: at.page + 1 } : { page: at.page, next: upTo, open: still };
  const fetched = { ...state, visits: next, ...UNFAILED };
  if (still.length === open.length) return storePage(scene, fetched, []);
  return rewritePage(scene, fetched, { number: at.page, bytes: chunk.content.length, items });
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
  if ((visits.count(record) ?? 0) > VISITS_MAX) return { item: visits.into(record, null) };
  const asked = await ask(asking, { path, headers: api.headers(asking.access) });
  if ("fault" in asked) return asked.isSaid ? { item } : asked;
  const page = visits.read(asked.body);
  if (!page) return { waitMs: null, fault: `${asking.title} returned a response without a list of visits` };
  if (page.total > VISITS_MAX) return { item: visits.into(record, null) };
  const { next, isOver } = countVisits(link, page);
  return isOver ? { item: visits.into(record, next.days) } : { next: { place: link.place, ...next } };
}
