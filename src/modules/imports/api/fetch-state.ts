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
import type { AskFault, AskParts } from "./ask";

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
/** Attempts and waits, in milliseconds, where the service does not say how long to wait. */
interface Patience {
  attemptsMax: number;
  waitMaxMs: number;
}
const FIRST_WAIT_MS = 250;
const AFTER_FAILURES: Patience = { attemptsMax: 8, waitMaxMs: 60_000 };
/** Longer than the hour by which services count requests. */
const BEYOND_LIMITS: Patience = { attemptsMax: 24, waitMaxMs: 300_000 };

/** No request has failed since the last response. */
export const UNFAILED = { failures: 0, limits: 0, failing: undefined };

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

/** True if one more failure ends the fetch; a limit ends by itself. */
export const isLastFailure = ({ failures }: FetchState, { isLimited }: AskFault): boolean =>
  !isLimited && failures >= AFTER_FAILURES.attemptsMax;

/**
 * Counts the failure and returns how long to wait before the next try. Failures and refusals beyond a limit are counted
 * apart: an hour of these uses up no attempt. Throws `FileFault` after too many.
 */
export async function failed(scene: Scene, state: FetchState, asked: AskFault): Promise<number> {
  if (scene.asking.signal.aborted) return 0;
  const { failures, limits = 0 } = state;
  const attempts = 1 + (asked.isLimited ? limits : failures);
  const { attemptsMax, waitMaxMs } = asked.isLimited ? BEYOND_LIMITS : AFTER_FAILURES;
  if (attempts > attemptsMax) throw new FileFault(`${asked.fault}; try again later`);
  await storePage(scene, { ...state, ...(asked.isLimited ? { limits: attempts } : { failures: attempts }) }, []);
  return asked.waitMs ?? Math.min(waitMaxMs, FIRST_WAIT_MS * 4 ** (attempts - 1));
}
