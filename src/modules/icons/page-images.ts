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
    make: (image, { type }) => pageImageOf(formOf(type) ?? "preview", image),
  });

  return {
    /** Throws 404, also if the image cannot be loaded, and 503 while too many others are being fetched. */
    async image(given: string, id: string, tag: string): Promise<KeptImage> {
      const form = formOf(given);
      const source = form && isUuid(id) ? await sourceOf(options.db, form, id) : undefined;
      if (!form || !source || cardImageTag(source.sourceUrl) !== tag) throw notFound("image");
      const image = await fetched({ type: form, id, ...source });
      if (image === "busy") throw unavailable("Too many images are being fetched; try again shortly");
      if (!image) throw notFound("image");
      return image;
    },
  };
}

const formOf = (given: string): PageImageForm | undefined => PAGE_IMAGE_FORMS.find((form) => form === given);

const sourceOf = (db: Db, form: PageImageForm, id: string): Promise<store.ImageSource | undefined> =>
  form === "preview" ? store.findCardImage(db, id) : store.findBioImage(db, id, form);
