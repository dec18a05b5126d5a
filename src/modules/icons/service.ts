/**
 * Icons of apps, domains and organizations: the configured image, or the name's initial if there is none or it cannot
 * be loaded.
 *
 * Making a small icon takes 5 ms of a core, and half a second if the external image was prepared for that, and anybody
 * may request one. So each icon is made once for all concurrent requests, `MADE_MAX` at a time, and beyond
 * `WAITING_MAX` callers are told to try again later.
 *
 * Bounds: `SHOWN_MAX` icons in memory for `SHOWN_MS`, `INITIALS_MAX` initials, `SMALL_MAX` small icons of some
 * kilobytes each. A crash loses nothing that cannot be made again.
 */
import { isUuid } from "@/core/ids";
import { notFound, unavailable } from "@/http/errors";
import { type BoundedMap, createBoundedMap } from "@/platform/bounded-map";
import { steadyClock } from "@/platform/clock";
import { limitConcurrency } from "@/platform/concurrency";
import { drawnIcon, iconOf, type SmallIcon, smallIconOf } from "@/platform/images/images";
import { initialOf } from "@/platform/images/initial";
import { createFetchedImages, type FetchedOptions, type KeptImage, tagged } from "./fetched";
import * as store from "./store";

export type IconService = ReturnType<typeof createIconService>;

const SHOWN_MAX = 100;
const SHOWN_MS = 60_000;
const INITIALS_MAX = 500;
const SMALL_MAX = 2_000;
const MADE_MAX = 2;
const WAITING_MAX = 100;
/** Sizes in pixels and bytes that pages can afford: a logo beside a name, an app's icon above it. */
const APP: SmallIcon = { side: 176, type: "image/webp", bytesMax: 7_000 };
const SMALL: Record<store.NamedType, SmallIcon> = {
  organization: { side: 120, type: "image/png", bytesMax: 4_000 },
  app: APP,
  domain: APP,
};

const IMAGE_BYTES_MAX = 2 * 1024 * 1024;

export function createIconService(options: FetchedOptions) {
  const { db } = options;
  const steady = steadyClock(options.clock);
  const shown = createBoundedMap<string, { icon: KeptImage; until: number }>(SHOWN_MAX);
  const initials = createBoundedMap<string, KeptImage>(INITIALS_MAX);
  const smalls = createBoundedMap<string, KeptImage>(SMALL_MAX);
  const makeOnce = makingOnce();
  const fetched = createFetchedImages(options, { bytesMax: IMAGE_BYTES_MAX, make: (image) => iconOf(image) });

  return {
    /** Throws 404, and 503 while too many others are being drawn. */
    icon: iconFor,

    /** Returns the icon in the size that pages show. Throws 404, and 503 while too many others are being made. */
    async small(owner: store.NamedType, id: string): Promise<KeptImage & Pick<SmallIcon, "type">> {
      const icon = await iconFor(owner, id);
      const form = SMALL[owner];
      const key = `${form.type} ${icon.etag}`;
      const small = await makeOnce(smalls, key, () => smallIconOf(icon.bytes, form));
      return { ...small, type: form.type };
    },
  };

  /** Throws 404 and 503. */
  async function iconFor(type: store.NamedType, id: string): Promise<KeptImage> {
    const key = `${type}/${id.toLowerCase()}`;
    const known = shown.get(key);
    if (known && steady() < known.until) return known.icon;
    const owner = isUuid(id) ? await store.findOwner(db, type, id) : undefined;
    if (!owner) throw notFound(type);
    const icon = (await configured(key, owner)) ?? (await drawn(owner));
    shown.set(key, { icon, until: steady() + SHOWN_MS });
    return icon;
  }

  async function configured(key: string, owner: store.IconOwner): Promise<KeptImage | undefined> {
    const { sourceUrl } = owner;
    if (!sourceUrl) return undefined;
    const image = await fetched({ ...owner, sourceUrl }, () => shown.delete(key));
    return image === "busy" ? undefined : image;
  }

  function drawn({ name, accentColor }: store.IconOwner): Promise<KeptImage> {
    return makeOnce(initials, `${initialOf(name)} ${accentColor}`, () => drawnIcon(name, accentColor));
  }
}

/** Concurrent requests for the same icon share one making of it. */
function makingOnce() {
  const refusal = () => unavailable("Too many icons are being made; try again shortly");
  const limited = limitConcurrency({ runningMax: MADE_MAX, waitingMax: WAITING_MAX, refusal });
  const underWay = new Map<string, Promise<KeptImage>>();

  return async (
    kept: BoundedMap<string, KeptImage>,
    key: string,
    make: () => Promise<Uint8Array>,
  ): Promise<KeptImage> => {
    const known = kept.get(key) ?? underWay.get(key);
    if (known) return known;
    const making = limited(async () => tagged(await make())).finally(() => underWay.delete(key));
    underWay.set(key, making);
    const made = await making;
    kept.set(key, made);
    return made;
  };
}
