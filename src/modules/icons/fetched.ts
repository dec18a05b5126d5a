/**
 * Loads external images and converts them to our own format. The first request for an image waits while it is fetched;
 * from then on it is served from the table `icons`, which all servers share, and refreshed in the background.
 *
 * States of an image: none → kept (for a day) → due → kept; none → failed (for ten minutes) → due. A new source URL
 * starts again, even while a fetch of the former URL is still running. Bounds: `FETCHES_MAX` images of `bytesMax`
 * bytes are fetched and decoded at a time, `SHARE_MAX` of them for one organization, so that one organization's slow
 * hosts do not block others; beyond that, callers get `busy`. Where images are awaited, because a page has many of
 * them, up to `AWAITED_MAX` callers first wait for `AWAITED_MS`, in the order in which they came. One fetch per owner
 * and URL. A crash loses nothing that cannot be made again.
 */
import { DAY_MS } from "@/core/time/time-range";
import type { Clock } from "@/platform/clock";
import { levelOfFailure } from "@/platform/db/faults";
import type { Db } from "@/platform/db/tx";
import { ImageError } from "@/platform/images/images";
import { type Outbound, OutboundError } from "@/platform/outbound/outbound";
import type { Log } from "@/platform/telemetry/log";
import * as store from "./store";

export interface KeptImage {
  bytes: Uint8Array;
  etag: string;
}

export interface FetchedOptions {
  db: Db;
  clock: Clock;
  outbound: Pick<Outbound, "request">;
  log: Log;
}

interface Form {
  /** Size limit of the external image. */
  bytesMax: number;
  /** Whether callers who find all places taken wait for one. */
  isAwaited?: boolean;
  /** Throws `ImageError`. */
  make(image: Uint8Array, owner: store.SourcedOwner): Promise<Uint8Array>;
}

/**
 * Resolves to undefined if the image cannot be loaded. `onAnew` is called once the refresh of a due image has ended.
 */
export type FetchedImages = (owner: store.SourcedOwner, onAnew?: () => void) => Promise<KeptImage | "busy" | undefined>;

const FETCHES_MAX = 6;
const SHARE_MAX = 3;
const KEPT_MS = DAY_MS;
const RETRY_MS = 600_000;

/** As many as there are images on two pages; for less time than browsers and proxies wait for a response. */
const AWAITED_MAX = 100;
const AWAITED_MS = 20_000;

const IMAGE_MS = 6_000;
const REDIRECTS_MAX = 3;

export function createFetchedImages(options: FetchedOptions, form: Form): FetchedImages {
  const { db, clock, log } = options;
  const fetches = new Map<string, { orgId: string | null; image: Promise<KeptImage | undefined> }>();
  let awaited = 0;

  return async (owner, onAnew) => {
    const kept = await store.findIcon(db, owner);
    if (kept?.sourceUrl !== owner.sourceUrl) return form.isAwaited ? fetchInTurn(owner) : fetchOnce(owner);
    // By the clock of another server, or by this one's before it was set back, it may have been fetched in the future.
    if (Math.abs(clock() - kept.fetchedAt.getTime()) >= KEPT_MS) {
      // In the background; it never rejects.
      void fetchOnce(owner).then(onAnew);
    }
    return kept.png && kept.etag ? { bytes: kept.png, etag: kept.etag } : undefined;
  };

  function fetchOnce(owner: store.SourcedOwner): Promise<KeptImage | "busy" | undefined> {
    const key = `${owner.type}/${owner.id.toLowerCase()} ${owner.sourceUrl}`;
    const running = fetches.get(key);
    if (running) return running.image;
    if (fetches.size >= FETCHES_MAX || runningOf(owner.orgId) >= SHARE_MAX) return Promise.resolve("busy");
    const image = fetchAndKeep(owner)
      .catch((error: unknown) => {
        log[levelOfFailure(error)]("could not store an icon", { ownerType: owner.type, ownerId: owner.id, error });
        return undefined;
      })
      .finally(() => fetches.delete(key));
    fetches.set(key, { orgId: owner.orgId, image });
    return image;
  }

  async function fetchInTurn(owner: store.SourcedOwner): Promise<KeptImage | "busy" | undefined> {
    let image = await fetchOnce(owner);
    if (image !== "busy" || awaited >= AWAITED_MAX) return image;
    const late = Bun.sleep(AWAITED_MS).then(() => true);
    awaited++;
    try {
      while (image === "busy") {
        if ((await Promise.race([late, ...fetches.values().map((fetch) => fetch.image)])) === true) break;
        image = await fetchOnce(owner);
      }
      return image;
    } finally {
      awaited--;
    }
  }

  function runningOf(orgId: string | null): number {
    return [...fetches.values()].filter((fetch) => fetch.orgId === orgId).length;
  }

  async function fetchAndKeep(owner: store.SourcedOwner): Promise<KeptImage | undefined> {
    const { type: ownerType, id: ownerId, sourceUrl } = owner;
    const image = await made(options, form, owner);
    // A failed image is due again sooner.
    const fetchedAt = new Date(image ? clock() : clock() - KEPT_MS + RETRY_MS);
    const row = { ownerType, ownerId, sourceUrl, png: image?.bytes ?? null, etag: image?.etag ?? null, fetchedAt };
    await store.saveIcon(db, row);
    return image;
  }
}

/** Returns undefined if the image cannot be loaded: that is not our fault, so it is only logged. */
async function made(
  { outbound, log }: FetchedOptions,
  { bytesMax, make }: Form,
  owner: store.SourcedOwner,
): Promise<KeptImage | undefined> {
  const { type, id, sourceUrl } = owner;
  try {
    return tagged(await make(await imageAt(outbound, sourceUrl, bytesMax), owner));
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof ImageError)) throw error;
    const reason = error instanceof OutboundError ? error.reason : error.message;
    log.info("could not load an icon", { ownerType: type, ownerId: id, reason });
    return undefined;
  }
}

async function imageAt(outbound: FetchedOptions["outbound"], url: string, bytesMax: number): Promise<Uint8Array> {
  const { status, headers, body } = await outbound.request(url, {
    headers: { accept: "image/*" },
    bytesMax,
    totalMs: IMAGE_MS,
    redirectsMax: REDIRECTS_MAX,
  });
  const type = headers.get("content-type") ?? "";
  if (status !== 200) throw new ImageError(`status ${status}`);
  if (!/^image\//i.test(type)) throw new ImageError("the content type is not an image");
  return body;
}

export const tagged = (bytes: Uint8Array): KeptImage => ({
  bytes,
  etag: `"${new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 32)}"`,
});
