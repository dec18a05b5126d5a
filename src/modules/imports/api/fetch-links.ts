/**
 * Fetches the links that another service's API lists, a page at a time. One transaction stores a page and the cursor
 * after it, so a job that resumes after a crash requests the next page. The import and later verifications then read
 * the pages as they read a file; by then the key has been erased.
 *
 * Nothing sleeps here: if a service asks to wait, and after `SLICE_MS`, the job is put off so that others have their
 * turn.
 *
 * Bounds: `IMPORT_RECORDS_MAX` records, `IMPORT_FETCHED_BYTES_MAX`, `PAGES_MAX` pages, a day since the first
 * request; `FAILURES_MAX` consecutive failures, `IDLE_MAX` consecutive pages without anything new. A crash loses the
 * page being fetched.
 */
import type { ApiSource } from "@/contract/links/import-api";
import { IMPORT_FETCHED_BYTES_MAX, IMPORT_RECORDS_MAX } from "@/contract/links/imports";
import { LINK_APIS } from "@/core/imports/apis";
import { type ApiAccess, FIRST_CURSOR, type LinkApi, nextRequest, readAnswer } from "@/core/imports/apis/api";
import { SourceRecord } from "@/core/imports/record";
import { SOURCES } from "@/core/imports/sources";
import { DAY_MS } from "@/core/time/time-range";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import type { FetchState } from "@/platform/db/schema/links/imports";
import type { Outbound } from "@/platform/outbound/outbound";
import type { Seal } from "@/platform/seal";
import { FileFault } from "../file-fault";
import type { Lease } from "../job/lease";
import { type ImportJob, insertChunk, updateImport } from "../store";
import { type AskOutcome, type AskParts, ask, noList } from "./ask";
import { openAccess } from "./credentials";

export interface FetchOptions {
  db: Drizzle;
  clock: Clock;
  seal: Seal;
  outbound: Pick<Outbound, "request">;
}

/** The job once everything is fetched, or how long to wait before continuing. */
export type Fetched = { job: ImportJob } | { waitMs: number };

export const FETCH_FROM_START: FetchState = {
  ...{ cursor: FIRST_CURSOR, pages: 0, items: 0, failures: 0, idle: 0, seen: [], isDone: false },
};

const SLICE_MS = 20_000;
/** The break between slices, in which other jobs can start. */
const YIELD_MS = 500;
const PAGES_MAX = 100_000;
const FAILURES_MAX = 8;
const IDLE_MAX = 3;
const FIRST_WAIT_MS = 250;
const WAIT_MAX_MS = 60_000;
/** As many concurrent requests as a browser makes to one host. */
const DETAILS_AT_ONCE = 6;

interface Scene extends FetchOptions {
  job: ImportJob;
  lease: Lease;
  api: LinkApi;
  asking: AskParts;
}

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
  if (now - state.startedAt > DAY_MS) throw new FileFault(`${asking.title} takes longer than a day`);
  const request = nextRequest(api, asking.access, state.cursor);
  if (!request) return storePage(scene, { ...state, isDone: true, seen: [] }, []);
  await lease.renew(db);
  const asked = await ask(asking, request);
  if ("fault" in asked) {
    if (asked.isGone && state.pages === 0) throw noList(asking);
    return failed(scene, state, asked);
  }
  const step = readAnswer(api, state.cursor, asked.body);
  if (!step)
    return failed(scene, state, { waitMs: null, fault: `${asking.title} returned a response without a list of links` });
  const { isNew, seen } = newAmong(api, state, step.items, now);
  const items = await detailed(scene, step.items.filter(isNew));
  if ("fault" in items) return failed(scene, state, items);
  const goesOn = step.cursor.after !== null;
  const idle = goesOn && items.found.length === 0 ? state.idle + 1 : 0;
  if (idle >= IDLE_MAX) throw new FileFault(`${asking.title} lists the same links again and again`);
  return storePage(scene, { ...state, cursor: step.cursor, idle, seen, failures: 0 }, items.found);
}

/**
 * Drops items of the previous page: links may move from one page to the next while they are fetched. The import itself
 * finds all other duplicates.
 */
function newAmong({ source }: LinkApi, state: FetchState, items: unknown[], now: number) {
  const keys = new Map(items.map((item) => [item, keyOf(item)]));
  const before = new Set(state.seen);
  const isNew = (item: unknown) => !before.has(keys.get(item) ?? "");
  return { isNew, seen: [...new Set(keys.values())] };

  function keyOf(item: unknown): string {
    const read = SOURCES[source].read(SourceRecord.of(item) ?? new SourceRecord({}), now);
    const address = "links" in read ? read.links[0]?.address : undefined;
    const named = address ? `${address.host ?? ""}/${address.path}` : JSON.stringify(item);
    return Bun.hash(named).toString(36);
  }
}

type Detailed = { found: unknown[] } | Extract<AskOutcome, { fault: string }>;

/** Adds the details that need a request per item, `DETAILS_AT_ONCE` at a time. */
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
      if ("fault" in answer) return answer;
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
    const asked = await ask(asking, { path, headers: api.headers(asking.access) });
    if ("body" in asked) return { item: details.into(record, asked.body) };
    return asked.isSaid ? { item } : asked;
  };
}

async function storePage(scene: Scene, state: FetchState, items: unknown[]): Promise<number> {
  const { db, lease, job, asking } = scene;
  const content = new TextEncoder().encode(JSON.stringify(items));
  const isPage = items.length > 0;
  const fetched = { ...state, pages: state.pages + (isPage ? 1 : 0), items: state.items + items.length };
  const bytes = job.file.bytes + (isPage ? content.length : 0);
  if (fetched.items > IMPORT_RECORDS_MAX)
    throw new FileFault(`${asking.title} lists more than ${IMPORT_RECORDS_MAX.toLocaleString("en")} links`);
  if (bytes > IMPORT_FETCHED_BYTES_MAX || fetched.pages > PAGES_MAX)
    throw new FileFault(`${asking.title} lists more than an import can hold`);
  await db.transaction(async (tx) => {
    await lease.hold(tx);
    if (isPage) await insertChunk(tx, job.orgId, { importId: job.id, number: state.pages, content });
    await lease.move(tx, { cursor: lease.cursor, progress: 0, counts: isPage ? { fetched: items.length } : {} });
    const values = { fetched, file: { ...job.file, bytes }, ...(fetched.isDone && { credentials: null }) };
    scene.job = (await updateImport(tx, job, values)) ?? job;
  });
  return 0;
}

/** Counts the failure and returns how long to wait before the next try. Throws `FileFault` after too many. */
async function failed(scene: Scene, state: FetchState, { waitMs, fault }: Extract<AskOutcome, { fault: string }>) {
  if (scene.asking.signal.aborted) return 0;
  const failures = state.failures + 1;
  if (failures > FAILURES_MAX) throw new FileFault(`${fault}; try again later`);
  await storePage(scene, { ...state, failures }, []);
  return waitMs ?? Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 4 ** (failures - 1));
}
