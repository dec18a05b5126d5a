/** Builds the paths of the images on a link's own pages, which are served on whichever host shows the page. */
import { PAGE_IMAGES_PATH, type PageImageForm } from "@/contract/public";
import { cardImageTag } from "./card-image";

/** Returns a path that differs for a different image, so that browsers load that anew. */
export const pageImagePath = (form: PageImageForm, linkId: string, sourceUrl: string): string =>
  `${PAGE_IMAGES_PATH}/${form}/${linkId}/${cardImageTag(sourceUrl)}`;
