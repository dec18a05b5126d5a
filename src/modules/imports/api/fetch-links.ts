/**
 * Fetches the links that another service's API lists, a page at a time. One transaction stores a page and the cursor
 * after it, so a job that resumes after a crash requests the next page. The import and later verifications then read
 * the pages as they read a file; by then the key has been erased.
 *
 * Nothing sleeps here: if a service asks to wait, and after `SLICE_MS`, the job is put off so that others have their
 * turn.
 *
 * Bounds: `IMPORT_RECORDS_MAX` records, `IMPORT_FETCHED_BYTES_MAX`, `PAGES_MAX` pages, a day from the first
 * request until all links are listed; `AFTER_FAILURES` and `BEYOND_LIMITS` consecutive attempts (all of these in
 * `fetch-state`), `IDLE_MAX` consecutive pages without anything new, `LOST_MAX` links without their details. A crash
 * loses the page being fetched.
 */
import type { ApiSource } from "@/contract/links/import-api";
import { LINK_APIS } from "@/core/imports/apis";
import { type ApiAccess, FIRST_CURSOR, type LinkApi, nextRequest, readAnswer } from "@/core/imports/apis/api";
import { passing } from "@/core/imports/apis/circle";
import { SourceRecord } from "@/core/imports/record";
import { SOURCES } from "@/core/imports/sources";
import { DAY_MS } from "@/core/time/time-range";
import type { FetchState } from "@/platform/db/schema/links/imports";
import type { Seal } from "@/platform/seal";
import { FileFault } from "../file-fault";
import type { Lease } from "../job/lease";
import type { ImportJob } from "../store";
import { type AskFault, ask, noList } from "./ask";
import { openAccess } from "./credentials";
import { type FetchOptions, failed, isLastFailure, type Scene, storePage, UNFAILED } from "./fetch-state";
import { fetchVisits } from "./fetch-visits";

/** The job once everything is fetched, or how long to wait before continuing. */
export type Fetched = { job: ImportJob } | { waitMs: number };

export const FETCH_FROM_START: FetchState = {
  ...{ cursor: FIRST_CURSOR, pages: 0, items: 0, failures: 0, idle: 0, seen: [], isDone: false },
};

const SLICE_MS = 20_000;
/** The break between slices, in which other jobs can start. */
const YIELD_MS = 500;
const IDLE_MAX = 3;
/** Links that may come without their details, because the service failed to answer for them alone. */
const LOST_MAX = 100;
/** As many concurrent requests as a browser makes to one host. */
const DETAILS_AT_ONCE = 6;

/** Throws `FileFault`, whose message is shown to the customer. */
export async function fetchLinks(
  options: FetchOptions,
  job: ImportJob,
  lease: Lease,
  signal: AbortSignal,
): Promise<Fetched> {
  const { form } = job.file;
  if (form.kind !== "api" || job.fetched?.isDone) return { job };
  const api = LINK_APIS[form.source as ApiSource];
  const { title } = SOURCES[api.source];
  const access = accessOf(options.seal, job);
  const scene: Scene = {
    ...{ ...options, job, lease, api },
    asking: {
      ...{ outbound: options.outbound, clock: options.clock, title, access, signal },
      isUsualAddress: access.baseUrl === api.baseUrl,
    },
  };
  const until = performance.now() + SLICE_MS;
  for (;;) {
    const waitMs = await fetchPage(scene);
    if (scene.job.fetched?.isDone) return { job: scene.job };
    if (waitMs > 0 || signal.aborted) return { waitMs };
    if (performance.now() > until) return { waitMs: YIELD_MS };
  }
}

function accessOf(seal: Seal, { id, credentials }: ImportJob): ApiAccess {
  const access = credentials && openAccess(seal, id, credentials);
  if (!access) throw new FileFault("The credentials can no longer be read; start a new import");
  return access;
}

/** Fetches one page and returns how long to wait before the next. */
async function fetchPage(scene: Scene): Promise<number> {
  const { api, asking, job, lease, db, clock } = scene;
  const now = clock();
  const state = { startedAt: now, ...(job.fetched ?? FETCH_FROM_START) };
  const request = nextRequest(api, asking.access, state.cursor);
  if (request && now - state.startedAt > DAY_MS) throw new FileFault(`${asking.title} takes longer than a day`);
  if (!request) {
    const { formerClicksByDay, dryRun } = job.options;
    if (api.visits && formerClicksByDay && !dryRun) return fetchVisits(scene, state, api.visits);
    return storePage(scene, { ...state, isDone: true, seen: [] }, []);
  }
  await lease.renew(db);
  const asked = await ask(asking, request);
  if ("fault" in asked) {
    if (asked.isGone && state.pages === 0) throw noList(asking);
    return failed(scene, { ...state, failing: undefined }, asked);
  }
  const step = readAnswer(api, state.cursor, asked.body);
  if (!step)
    return failed(scene, state, { waitMs: null, fault: `${asking.title} returned a response without a list of links` });
  const passed = passing(state.passed, hashed(JSON.stringify([step.cursor.place, step.cursor.after])));
  if (!passed) throw repeating(asking);
  const listed = newAmong(api, state, step.items, now);
  const { found, fault } = await detailed(scene, listed.items);
  if (fault && found.length === 0) return failedAtFirst(scene, state, listed, fault);
  if (fault) {
    const seen = [...state.seen, ...listed.keys.slice(0, found.length)];
    await storePage(scene, { ...state, seen, ...UNFAILED }, found);
    return fault.waitMs ?? 0;
  }
  const goesOn = step.cursor.after !== null;
  const idle = goesOn && found.length === 0 ? state.idle + 1 : 0;
  if (idle >= IDLE_MAX) throw repeating(asking);
  return storePage(scene, { ...state, cursor: step.cursor, idle, seen: listed.seen, passed, ...UNFAILED }, found);
}

/**
 * Tries the first link again, or brings it without its details: the service lists it, so the fault is the link's own, and
 * should not keep all others from coming. Throws `FileFault` after too many of these.
 */
async function failedAtFirst(
  scene: Scene,
  state: FetchState,
  { items, keys }: Listed,
  fault: AskFault,
): Promise<number> {
  const failing = keys[0];
  const own = { ...state, failing, failures: state.failing === failing ? state.failures : 0 };
  const lost = (state.lost ?? 0) + 1;
  if (!isLastFailure(own, fault) || lost > LOST_MAX) return failed(scene, own, fault);
  return storePage(
    scene,
    { ...state, seen: [...state.seen, ...keys.slice(0, 1)], lost, ...UNFAILED },
    items.slice(0, 1),
  );
}

const repeating = ({ title }: Scene["asking"]) => new FileFault(`${title} lists the same links again and again`);

interface Listed {
  /** Those that are new. */
  items: unknown[];
  keys: string[];
  /** The keys of all. */
  seen: string[];
}

/**
 * Drops items of the previous page, and those of this one that are stored already: links may move from one page to the
 * next while they are fetched. The import itself finds all other duplicates.
 */
function newAmong({ source }: LinkApi, state: FetchState, listed: unknown[], now: number): Listed {
  const keyed = listed.map((item) => ({ item, key: keyOf(item) }));
  const before = new Set(state.seen);
  const found = keyed.filter(({ key }) => !before.has(key));
  return {
    items: found.map(({ item }) => item),
    keys: found.map(({ key }) => key),
    seen: [...new Set(keyed.map(({ key }) => key))],
  };

  function keyOf(item: unknown): string {
    const read = SOURCES[source].read(SourceRecord.of(item) ?? new SourceRecord({}), now);
    const address = "links" in read ? read.links[0]?.address : undefined;
    const named = address ? `${address.host ?? ""}/${address.path}` : JSON.stringify(item);
    return hashed(named);
  }
}

const hashed = (text: string): string => Bun.hash(text).toString(36);

interface Detailed {
  found: unknown[];
  /** Why the items behind those are missing. */
  fault?: AskFault;
}

/** Adds the details that need a request per item, `DETAILS_AT_ONCE` at a time, up to the first that fails. */
async function detailed(scene: Scene, items: unknown[]): Promise<Detailed> {
  const { lease, db } = scene;
  const found = [...items];
  const wanted = items.flatMap((item, place) => {
    const request = detailRequest(scene, item);
    return request ? [{ place, request }] : [];
  });
  for (let from = 0; from < wanted.length; from += DETAILS_AT_ONCE) {
    await lease.renew(db);
    const some = wanted.slice(from, from + DETAILS_AT_ONCE);
    const answers = await Promise.all(some.map(async ({ place, request }) => ({ place, ...(await request()) })));
    for (const answer of answers) {
      if ("fault" in answer) return { found: found.slice(0, answer.place), fault: answer };
      found[answer.place] = answer.item;
    }
  }
  return { found };
}

/** Returns undefined for an item that needs no request. An item whose details no longer exist comes without them. */
function detailRequest({ api: { details, ...api }, asking }: Scene, item: unknown) {
  const record = SourceRecord.of(item);
  const path = record && details?.path(record);
  if (!record || !details || path === undefined) return undefined;
  return async () => {
    const asked = await ask({ ...asking, isOfOne: true }, { path, headers: api.headers(asking.access) });
    if ("body" in asked) return { item: details.into(record, asked.body) };
    return asked.isSaid ? { item } : asked;
  };
}
