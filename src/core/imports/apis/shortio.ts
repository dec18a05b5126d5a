/** Short.io (https://developers.short.io/reference): the links of each domain. The links do not name their domain. */
import { SourceRecord } from "../record";
import { itemsUnder, type LinkApi } from "./api";

export const shortioApi: LinkApi = {
  source: "shortio",
  baseUrl: "https://api.short.io",
  headers: ({ apiKey }) => ({ authorization: apiKey }),
  places: {
    path: "/api/domains",
    of: (body) =>
      (itemsUnder(body) ?? itemsUnder(body, "domains"))?.flatMap((item) => {
        const domain = SourceRecord.of(item);
        const [id, name] = [domain?.text("id"), domain?.text("hostname")];
        return id === undefined || name === undefined ? [] : [{ id, name }];
      }),
  },
  list: (after, place) => ({
    path: `/api/links?${new URLSearchParams({
      ...{ domain_id: place?.id ?? "", limit: "50" },
      ...(after !== null && { pageToken: after }),
    })}`,
  }),
  read(body, _, place) {
    const items = itemsUnder(body, "links");
    if (!items) return undefined;
    const placed = items.map((item) => {
      const link = SourceRecord.of(item);
      return link && place && !link.says("domain") ? { ...link.values, domain: place.name } : item;
    });
    return { items: placed, after: SourceRecord.of(body)?.text("nextPageToken") ?? null };
  },
};
