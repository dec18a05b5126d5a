/** Builds the paths of the images on a link's own pages, which are served on whichever host shows the page. */
import type { BioItem } from "@/contract/links/bio-pages";
import { PAGE_IMAGES_PATH, type PageImageForm } from "@/contract/public";
import { cardImageTag } from "./card-image";

/** Returns a path that differs for a different image, so that browsers load that anew. */
export const pageImagePath = (form: PageImageForm, linkId: string, sourceUrl: string): string =>
  `${PAGE_IMAGES_PATH}/${form}/${linkId}/${cardImageTag(sourceUrl)}`;

/** Returns null for an item without an image. */
export const itemImagePath = (pageId: string, { imageUrl, display }: Pick<BioItem, "imageUrl" | "display">) =>
  imageUrl ? pageImagePath(display === "card" ? "tile" : "thumb", pageId, imageUrl) : null;
