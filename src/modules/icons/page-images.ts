/**
 * Images on the pages that visitors see, as small as the pages need them. Nothing is cached in memory: browsers keep
 * what they have loaded.
 */
import { PAGE_IMAGE_FORMS, type PageImageForm } from "@/contract/public";
import { isUuid } from "@/core/ids";
import { notFound, unavailable } from "@/http/errors";
import type { Db } from "@/platform/db/tx";
import { cardImageTag } from "@/platform/images/card-image";
import { pageImageOf } from "@/platform/images/images";
import { createFetchedImages, type FetchedOptions, type KeptImage } from "./fetched";
import * as store from "./store";

export type PageImageService = ReturnType<typeof createPageImageService>;

const IMAGE_BYTES_MAX = 5 * 1024 * 1024;

export function createPageImageService(options: FetchedOptions) {
  const fetched = createFetchedImages(options, {
    bytesMax: IMAGE_BYTES_MAX,
    isAwaited: true,
    make: (image, { type }) => pageImageOf(formOf(type) ?? "preview", image),
  });

  return {
    /** Throws 404, also if the image cannot be loaded, and 503 while too many others are being fetched. */
    async image(given: string, id: string, tag: string): Promise<KeptImage> {
      const form = formOf(given);
      const source = form && isUuid(id) ? await sourceOf(options.db, form, id, tag) : undefined;
      if (!form || !source || cardImageTag(source.sourceUrl) !== tag) throw notFound("image");
      const image = await fetched({ type: form, id: isOfItem(form) ? itemImageId(id, tag) : id, ...source });
      if (image === "busy") throw unavailable("Too many images are being fetched; try again shortly");
      if (!image) throw notFound("image");
      return image;
    },
  };
}

const formOf = (given: string): PageImageForm | undefined => PAGE_IMAGE_FORMS.find((form) => form === given);

function sourceOf(db: Db, form: PageImageForm, id: string, tag: string): Promise<store.ImageSource | undefined> {
  if (form === "preview") return store.findCardImage(db, id);
  return isOfItem(form) ? store.findItemImage(db, id, tag) : store.findBioImage(db, id, form);
}

const isOfItem = (form: PageImageForm): form is "thumb" | "tile" => form === "thumb" || form === "tile";

/** A page has many of them, so each is kept under an id that follows from the page and the image. */
function itemImageId(pageId: string, tag: string): string {
  const hex = new Bun.CryptoHasher("sha256").update(`${pageId.toLowerCase()} ${tag}`).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}
