/**
 * YOURLS (https://yourls.org/docs/guide/advanced/api): newest first, by offset, so links created or deleted during
 * the fetch shift it. The signature is sent in the body, which servers do not log.
 */
import { SourceRecord } from "../record";
import { type LinkApi, nextOffset } from "./api";

const LIMIT = 500;

export const yourlsApi: LinkApi = {
  source: "yourls",
  baseUrl: null,
  headers: () => ({}),
  list: (after, _, { apiKey }) => ({
    path: "/yourls-api.php",
    form: {
      ...{ action: "stats", filter: "last", limit: String(LIMIT), start: after ?? "0" },
      ...{ format: "json", signature: apiKey },
    },
  }),
  read(body, after) {
    const answer = SourceRecord.of(body);
    const links = answer?.under("links");
    if (!links && !answer?.under("stats")) return undefined;
    const items = Object.values(links?.values ?? {});
    return { items, after: items.length < LIMIT ? null : nextOffset(after, items.length) };
  },
};
