/** Rebrandly (https://developers.rebrandly.com/docs/list-links): oldest first, continuing after the last link read. */
import { SourceRecord } from "../record";
import { itemsUnder, type LinkApi } from "./api";

const LIMIT = 25;

export const rebrandlyApi: LinkApi = {
  source: "rebrandly",
  baseUrl: "https://api.rebrandly.com",
  headers: ({ apiKey, workspace }) => ({ apikey: apiKey, ...(workspace && { workspace }) }),
  list: (after) => ({
    path: `/v1/links?${new URLSearchParams({
      ...{ limit: String(LIMIT), orderBy: "createdAt", orderDir: "asc" },
      ...(after !== null && { last: after }),
    })}`,
  }),
  read(body) {
    const items = itemsUnder(body);
    if (!items) return undefined;
    const last = SourceRecord.of(items.at(-1))?.text("id");
    return { items, after: items.length < LIMIT ? null : (last ?? null) };
  },
};
