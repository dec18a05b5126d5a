/** Bitly (https://dev.bitly.com/api-reference): the links of each group, including archived ones. */
import { SourceRecord } from "../record";
import { itemsUnder, type LinkApi } from "./api";

export const bitlyApi: LinkApi = {
  source: "bitly",
  baseUrl: "https://api-ssl.bitly.com",
  headers: ({ apiKey }) => ({ authorization: `Bearer ${apiKey}` }),
  places: {
    path: "/v4/groups",
    of: (body) =>
      itemsUnder(body, "groups")?.flatMap((item) => {
        const group = SourceRecord.of(item);
        const id = group?.text("guid");
        return id === undefined ? [] : [{ id, name: group?.text("name") ?? id }];
      }),
  },
  list: (after, place) => ({
    path: `/v4/groups/${encodeURIComponent(place?.id ?? "")}/bitlinks?${new URLSearchParams({
      ...{ size: "100", archived: "both" },
      ...(after !== null && { search_after: after }),
    })}`,
  }),
  read(body) {
    const items = itemsUnder(body, "links");
    return items && { items, after: SourceRecord.of(body)?.under("pagination")?.text("search_after") ?? null };
  },
};
