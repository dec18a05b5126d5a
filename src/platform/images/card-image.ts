/**
 * Builds the URL of a link's card image: on the link's own host, under a name that only those who were shown the card
 * can know.
 */
import { CARD_IMAGES_PATH } from "@/contract/public";

const TAG_LENGTH = 32;

/** Returns a name that differs for a different image, so that networks load that anew. */
export const cardImageTag = (sourceUrl: string): string =>
  new Bun.CryptoHasher("sha256").update(sourceUrl).digest("hex").slice(0, TAG_LENGTH);

export const cardImageUrl = (link: { id: string; shortUrl: string }, sourceUrl: string): string =>
  `${new URL(link.shortUrl).origin}${CARD_IMAGES_PATH}/${link.id}/${cardImageTag(sourceUrl)}`;
