/**
 * Dub (https://dub.co/docs/api-reference/endpoint/retrieve-a-list-of-links): oldest first, so new links do not shift
 * pages.
 */
import { itemsUnder, type LinkApi, nextPage } from "./api";

const PAGE_SIZE = 100;

export const dubApi: LinkApi = {
  source: "dub",
  baseUrl: "https://api.dub.co",
  headers: ({ apiKey }) => ({ authorization: `Bearer ${apiKey}` }),
  list: (after) => ({
    path: `/links?${new URLSearchParams({
      ...{ page: after ?? "1", pageSize: String(PAGE_SIZE), showArchived: "true" },
      ...{ sortBy: "createdAt", sortOrder: "asc" },
    })}`,
  }),
  read(body, after) {
    const items = itemsUnder(body);
    return items && { items, after: items.length < PAGE_SIZE ? null : nextPage(after) };
  },
};
