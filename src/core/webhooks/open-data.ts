/** The data of `link.matched` and `link.opened`: the match or open, with its link and payload. */
import type { Provider } from "@/contract/match";
import type { Platform } from "@/contract/platforms";

export interface ToldOpen {
  openId: string;
  /** Only for a match. */
  installId?: string;
  link: { id: string; shortUrl: string; title: string | null };
  deepLinkPayload: Record<string, unknown>;
  /** The web destination. */
  destinationUrl: string;
  source: "direct" | "deferred";
  platform: Platform;
  installAttributionProvider?: Provider;
}

/** Builds the data, without fields that are absent. */
export const openData = ({ link, openId, installId, ...open }: ToldOpen) => ({
  openId,
  installId,
  linkId: link.id,
  link: { _id: link.id, shortUrl: link.shortUrl, title: link.title ?? undefined },
  ...open,
});
