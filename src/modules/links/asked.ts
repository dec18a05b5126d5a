/** A list of links as its query asks for it. */
import type { LinkListQuery } from "@/contract/links/link-lists";
import { LINK_LIMITS } from "@/contract/links/links";
import { PAGE_LIMIT } from "@/http/page";
import { repeatedOf } from "@/http/repeated";
import { placeAt } from "./list-order";
import type { AskedLinks } from "./read";

/** Throws 400 for too many or too long tags, and for a cursor of another list. */
export function askedLinks(query: LinkListQuery, url: string): AskedLinks {
  const { search, domainId, state, isArchived, page = 1, limit = PAGE_LIMIT, sort = "createdAt" } = query;
  const { tagsMax: valuesMax, tagLengthMax } = LINK_LIMITS;
  const { tag, excludeTag } = repeatedOf(url, ["tag", "excludeTag"], { valuesMax, lengthMax: () => tagLengthMax });
  const order = { sort, order: query.order ?? (sort === "title" ? "asc" : "desc") } as const;
  return {
    filter: { tags: tag?.map(asKept), excludeTags: excludeTag?.map(asKept), search, domainId, state, isArchived },
    order,
    after: query.cursor === undefined ? undefined : placeAt(order, query.cursor),
    page,
    limit,
  };
}

const asKept = (tag: string): string => tag.trim().normalize("NFC");
