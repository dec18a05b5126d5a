/** Where the image of a link's card is: on the link's own host, under a name that only who was shown the card can know. */
import { CARD_IMAGES_PATH } from "@/contract/public";

const TAG_LENGTH = 32;

/** Another image has another name, so that networks load it anew. */
export const cardImageTag = (sourceUrl: string): string =>
  new Bun.CryptoHasher("sha256").update(sourceUrl).digest("hex").slice(0, TAG_LENGTH);

export const cardImageUrl = (link: { id: string; shortUrl: string }, sourceUrl: string): string =>
  `${new URL(link.shortUrl).origin}${CARD_IMAGES_PATH}/${link.id}/${cardImageTag(sourceUrl)}`;
