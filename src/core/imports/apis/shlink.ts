/**
 * Shlink (https://api-spec.shlink.io): short URLs by page, oldest first, and the redirect rules of those that have
 * any.
 */
import { SourceRecord } from "../record";
import { itemsUnder, type LinkApi, nextPage } from "./api";

const PAGE_SIZE = 50;

export const shlinkApi: LinkApi = {
  source: "shlink",
  baseUrl: null,
  headers: ({ apiKey }) => ({ "x-api-key": apiKey }),
  list: (after) => ({
    path: `/rest/v3/short-urls?${new URLSearchParams({
      ...{ page: after ?? "1", itemsPerPage: String(PAGE_SIZE), orderBy: "dateCreated-ASC" },
    })}`,
  }),
  read(body, after) {
    const list = SourceRecord.of(body)?.under("shortUrls");
    const items = itemsUnder(list?.values, "data");
    if (!items) return undefined;
    const pages = list?.under("pagination")?.count("pagesCount") ?? 0;
    return { items, after: Number(after ?? 1) < pages ? nextPage(after) : null };
  },
  details: {
    path(item) {
      const [code, domain] = [item.text("shortCode"), item.text("domain")];
      if (code === undefined || item.flag("hasRedirectRules") !== true) return undefined;
      const path = code.split("/").map(encodeURIComponent).join("/");
      const query = domain ? `?${new URLSearchParams({ domain })}` : "";
      return `/rest/v3/short-urls/${path}/redirect-rules${query}`;
    },
    into: (item, body) => ({ ...item.values, redirectRules: itemsUnder(body, "redirectRules") ?? [] }),
  },
};
