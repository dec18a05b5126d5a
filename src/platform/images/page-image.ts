/** Where the images of a link's own pages are: on whichever host shows the page, and of a size that a page can bear. */
import { PAGE_IMAGES_PATH, type PageImageForm } from "@/contract/public";
import { cardImageTag } from "./card-image";

/** Another image has another name, so that browsers load it anew. */
export const pageImagePath = (form: PageImageForm, linkId: string, sourceUrl: string): string =>
  `${PAGE_IMAGES_PATH}/${form}/${linkId}/${cardImageTag(sourceUrl)}`;
