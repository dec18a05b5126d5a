import type { Link } from "@/contract/links/links";

/** A link, or a bio page: its items are its split targets, but visitors choose among them. */
export type DescribedLink = Link & { isDeleted: boolean; isBioPage?: true };

/** Returns the word for it in a sentence. */
export const nounOf = ({ isBioPage }: Pick<DescribedLink, "isBioPage">): "link" | "page" =>
  isBioPage ? "page" : "link";
