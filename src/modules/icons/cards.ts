/**
 * Images for the cards that social networks show for shared links, in a format that all of them accept. Nothing is
 * cached in memory: the networks keep what they have loaded.
 */
import { isUuid } from "@/core/ids";
import { notFound, unavailable } from "@/http/errors";
import { cardImageTag } from "@/platform/images/card-image";
import { cardImageOf } from "@/platform/images/images";
import { createFetchedImages, type FetchedOptions, type KeptImage } from "./fetched";
import * as store from "./store";

export type CardService = ReturnType<typeof createCardService>;

/** X accepts no more. */
const IMAGE_BYTES_MAX = 5 * 1024 * 1024;

export function createCardService(options: FetchedOptions) {
  const fetched = createFetchedImages(options, { bytesMax: IMAGE_BYTES_MAX, make: cardImageOf });

  return {
    /** Throws 404, also if the image cannot be loaded, and 503 while too many others are being fetched. */
    async image(id: string, tag: string): Promise<KeptImage> {
      const source = isUuid(id) ? await store.findCardImage(options.db, id) : undefined;
      if (!source || cardImageTag(source.sourceUrl) !== tag) throw notFound("image");
      const image = await fetched({ type: "link", id, ...source });
      if (image === "busy") throw unavailable("Too many images are being fetched; try again shortly");
      if (!image) throw notFound("image");
      return image;
    },
  };
}
