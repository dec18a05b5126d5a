/** Stores what has been fetched and how far, in one transaction that holds the job's lease. */
import { IMPORT_FETCHED_BYTES_MAX, IMPORT_RECORDS_MAX, type ImportCounts } from "@/contract/links/imports";
import type { LinkApi } from "@/core/imports/apis/api";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import type { FetchState } from "@/platform/db/schema/links/imports";
import type { Tx } from "@/platform/db/tx";
import type { Outbound } from "@/platform/outbound/outbound";
import type { Seal } from "@/platform/seal";
import { FileFault } from "../file-fault";
import type { Lease } from "../job/lease";
import { type ImportJob, insertChunk, updateChunk, updateImport } from "../store";
import type { AskOutcome, AskParts } from "./ask";

export interface FetchOptions {
  db: Drizzle;
  clock: Clock;
  seal: Seal;
  outbound: Pick<Outbound, "request">;
}

export interface Scene extends FetchOptions {
  job: ImportJob;
  lease: Lease;
  api: LinkApi;
  asking: AskParts;
}

const PAGES_MAX = 100_000;
const FAILURES_MAX = 8;
const FIRST_WAIT_MS = 250;
const WAIT_MAX_MS = 60_000;

/** Stores a page after those before. Without items, only the state is stored. Throws `FileFault`. */
export async function storePage(scene: Scene, state: FetchState, items: unknown[]): Promise<number> {
  const { job, asking } = scene;
  const isPage = items.length > 0;
  const content = isPage ? contentOf(items) : new Uint8Array();
  const fetched = { ...state, pages: state.pages + (isPage ? 1 : 0), items: state.items + items.length };
  if (fetched.items > IMPORT_RECORDS_MAX)
    throw new FileFault(`${asking.title} lists more than ${IMPORT_RECORDS_MAX.toLocaleString("en")} links`);
  if (fetched.pages > PAGES_MAX) throw tooMuch(scene);
  await store(scene, fetched, {
    bytes: content.length,
    counts: isPage ? { fetched: items.length } : {},
    write: async (tx) => {
      if (isPage) await insertChunk(tx, job.orgId, { importId: job.id, number: state.pages, content });
    },
  });
  return 0;
}

/** Replaces the content of a page, which had `bytes` before. Throws `FileFault`. */
export async function rewritePage(
  scene: Scene,
  state: FetchState,
  page: { number: number; bytes: number; items: unknown[] },
): Promise<number> {
  const { job } = scene;
  const content = contentOf(page.items);
  await store(scene, state, {
    bytes: content.length - page.bytes,
    counts: {},
    write: (tx) => updateChunk(tx, job, page.number, content),
  });
  return 0;
}

interface Stored {
  /** Added to those of the file. */
  bytes: number;
  counts: ImportCounts;
  write(tx: Tx): Promise<void>;
}

async function store(scene: Scene, fetched: FetchState, { bytes, counts, write }: Stored): Promise<void> {
  const { db, lease, job } = scene;
  const file = { ...job.file, bytes: job.file.bytes + bytes };
  if (file.bytes > IMPORT_FETCHED_BYTES_MAX) throw tooMuch(scene);
  await db.transaction(async (tx) => {
    await lease.hold(tx);
    await write(tx);
    await lease.move(tx, { cursor: lease.cursor, progress: 0, counts });
    const values = { fetched, file, ...(fetched.isDone && { credentials: null }) };
    scene.job = (await updateImport(tx, job, values)) ?? job;
  });
}

const contentOf = (items: unknown[]): Uint8Array => new TextEncoder().encode(JSON.stringify(items));

const tooMuch = ({ asking }: Scene) => new FileFault(`${asking.title} lists more than an import can hold`);

/** Counts the failure and returns how long to wait before the next try. Throws `FileFault` after too many. */
export async function failed(
  scene: Scene,
  state: FetchState,
  { waitMs, fault }: Extract<AskOutcome, { fault: string }>,
): Promise<number> {
  if (scene.asking.signal.aborted) return 0;
  const failures = state.failures + 1;
  if (failures > FAILURES_MAX) throw new FileFault(`${fault}; try again later`);
  await storePage(scene, { ...state, failures }, []);
  return waitMs ?? Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 4 ** (failures - 1));
}
