/**
 * Icons of apps, domains and organizations: the image that was configured, or the name's initial where there is none or it
 * cannot be had. A stranger's image is fetched while the first who asks waits; from then on it is served from the table
 * `icons`, which all servers share, and fetched anew behind the answer.
 *
 * States of a fetched icon: none → kept (for a day) → due → kept; none → failed (for ten minutes) → due. Another source URL
 * begins anew. Bounds: `FETCHES_MAX` images are fetched and decoded at once, and who comes beyond gets the initial; one
 * fetch per owner; `SHOWN_MAX` icons in memory for `SHOWN_MS`, `INITIALS_MAX` initials. A crash loses nothing that is not
 * made again.
 */
import { isUuid } from "@/core/ids";
import { DAY_MS } from "@/core/time/time-range";
import { notFound } from "@/http/errors";
import { createBoundedMap } from "@/platform/bounded-map";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import { drawnIcon, ImageError, iconOf } from "@/platform/images/images";
import { initialOf } from "@/platform/images/initial";
import { type Outbound, OutboundError } from "@/platform/outbound/outbound";
import type { Log } from "@/platform/telemetry/log";
import * as store from "./store";

export interface Icon {
  png: Uint8Array;
  etag: string;
}

export interface IconOptions {
  db: Db;
  clock: Clock;
  outbound: Pick<Outbound, "request">;
  log: Log;
}

export type IconService = ReturnType<typeof createIconService>;

const FETCHES_MAX = 4;
const SHOWN_MAX = 100;
const SHOWN_MS = 60_000;
const INITIALS_MAX = 500;
const KEPT_MS = DAY_MS;
const RETRY_MS = 600_000;

const IMAGE_BYTES_MAX = 2 * 1024 * 1024;
const IMAGE_MS = 6_000;
const REDIRECTS_MAX = 3;

export function createIconService({ db, clock, outbound, log }: IconOptions) {
  const shown = createBoundedMap<string, { icon: Icon; until: number }>(SHOWN_MAX);
  const initials = createBoundedMap<string, Icon>(INITIALS_MAX);
  const fetches = new Map<string, Promise<Icon | undefined>>();

  return {
    /** Throws 404. */
    async icon(type: store.OwnerType, id: string): Promise<Icon> {
      const key = `${type}/${id.toLowerCase()}`;
      const known = shown.get(key);
      if (known && clock() < known.until) return known.icon;
      const owner = isUuid(id) ? await store.findOwner(db, type, id) : undefined;
      if (!owner) throw notFound(type);
      const icon = (await configured(key, owner)) ?? (await drawn(owner));
      shown.set(key, { icon, until: clock() + SHOWN_MS });
      return icon;
    },
  };

  async function configured(key: string, owner: store.IconOwner): Promise<Icon | undefined> {
    const { sourceUrl } = owner;
    if (!sourceUrl) return undefined;
    const kept = await store.findIcon(db, owner);
    if (kept?.sourceUrl !== sourceUrl) return fetchOnce(key, { ...owner, sourceUrl });
    if (clock() >= kept.fetchedAt.getTime() + KEPT_MS) {
      // Behind the answer; it never rejects.
      void fetchOnce(key, { ...owner, sourceUrl }).then(() => shown.delete(key));
    }
    return kept.png && kept.etag ? { png: kept.png, etag: kept.etag } : undefined;
  }

  function fetchOnce(key: string, owner: SourcedOwner): Promise<Icon | undefined> {
    const running = fetches.get(key);
    if (running) return running;
    if (fetches.size >= FETCHES_MAX) return Promise.resolve(undefined);
    const fetch = fetchAndKeep(owner)
      .catch((error: unknown) => {
        log.error("could not store an icon", { ownerType: owner.type, ownerId: owner.id, error });
        return undefined;
      })
      .finally(() => fetches.delete(key));
    fetches.set(key, fetch);
    return fetch;
  }

  async function fetchAndKeep(owner: SourcedOwner): Promise<Icon | undefined> {
    const { type: ownerType, id: ownerId, sourceUrl } = owner;
    const icon = await made(outbound, log, owner);
    // What failed is due again sooner.
    const fetchedAt = new Date(icon ? clock() : clock() - KEPT_MS + RETRY_MS);
    const row = { ownerType, ownerId, sourceUrl, png: icon?.png ?? null, etag: icon?.etag ?? null, fetchedAt };
    await store.saveIcon(db, row);
    return icon;
  }

  async function drawn({ name, accentColor }: store.IconOwner): Promise<Icon> {
    const key = `${initialOf(name)} ${accentColor}`;
    const known = initials.get(key);
    if (known) return known;
    const icon = tagged(await drawnIcon(name, accentColor));
    initials.set(key, icon);
    return icon;
  }
}

async function imageAt(outbound: IconOptions["outbound"], url: string): Promise<Uint8Array> {
  const { status, headers, body } = await outbound.request(url, {
    headers: { accept: "image/*" },
    bytesMax: IMAGE_BYTES_MAX,
    totalMs: IMAGE_MS,
    redirectsMax: REDIRECTS_MAX,
  });
  const type = headers.get("content-type") ?? "";
  if (status !== 200) throw new ImageError(`status ${status}`);
  if (!/^image\//i.test(type)) throw new ImageError("the content type is not an image");
  return body;
}

/** Undefined when the image cannot be had: not ours to mend, so it is only noted. */
async function made(outbound: IconOptions["outbound"], log: Log, owner: SourcedOwner): Promise<Icon | undefined> {
  try {
    return tagged(await iconOf(await imageAt(outbound, owner.sourceUrl)));
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof ImageError)) throw error;
    const reason = error instanceof OutboundError ? error.reason : error.message;
    log.info("could not load an icon", { ownerType: owner.type, ownerId: owner.id, reason });
    return undefined;
  }
}

type SourcedOwner = store.IconOwner & { sourceUrl: string };

const tagged = (png: Uint8Array): Icon => ({
  png,
  etag: `"${new Bun.CryptoHasher("sha256").update(png).digest("hex").slice(0, 32)}"`,
});
