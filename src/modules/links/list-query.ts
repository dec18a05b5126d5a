/** Reads the query parameters of a list of links. */
import type { LinkExportQuery } from "@/contract/links/link-export";
import { LISTED_IDS_MAX, type LinkListQuery } from "@/contract/links/link-lists";
import { LINK_LIMITS } from "@/contract/links/links";
import { isUuid } from "@/core/ids";
import { storedTag } from "@/core/names/tag";
import { PAGE_LIMIT } from "@/http/page";
import { readRepeatedParameters } from "@/http/repeated";
import { placeAt } from "./list-order";
import type { LinkListFilter } from "./list-sources";
import type { AskedLinks } from "./read";

const ID_LENGTH_MAX = 64;

/** Throws 400 for too many or too long tags or ids, and for a cursor of a list in another order. */
export function parseListQuery(query: LinkListQuery, url: string): AskedLinks {
  const { page = 1, limit = PAGE_LIMIT, sort = "createdAt" } = query;
  const order = { sort, order: query.order ?? (sort === "title" ? "asc" : "desc") } as const;
  const after = query.cursor === undefined ? undefined : placeAt(order, query.cursor);
  return { filter: { ...askedFilter(query, url), ...askedIds(query, url) }, order, after, page, limit };
}

/** Throws 400 for too many or too long tags. */
export function askedFilter({ search, domainId, state, isArchived }: LinkExportQuery, url: string): LinkListFilter {
  const { tagsMax: valuesMax, tagLengthMax } = LINK_LIMITS;
  const { tag, excludeTag } = readRepeatedParameters(url, ["tag", "excludeTag"], {
    valuesMax,
    lengthMax: () => tagLengthMax,
  });
  return { tags: tag?.map(storedTag), excludeTags: excludeTag?.map(storedTag), search, domainId, state, isArchived };
}

/** The ids that the query names, archived links included; what is no id is none of a link. */
function askedIds({ isArchived }: LinkListQuery, url: string): Pick<LinkListFilter, "linkIds" | "isArchived"> {
  const { linkId } = readRepeatedParameters(url, ["linkId"], {
    valuesMax: LISTED_IDS_MAX,
    lengthMax: () => ID_LENGTH_MAX,
  });
  return linkId ? { linkIds: linkId.filter(isUuid), isArchived: isArchived ?? "either" } : {};
}
