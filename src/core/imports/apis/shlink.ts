/**
 * Shlink (https://api-spec.shlink.io): short URLs by page, oldest first, the redirect rules of those that have any, and
 * the visits of each.
 */
import { SourceRecord } from "../record";
import { shlinkVisits } from "../sources/shlink";
import { itemsUnder, type LinkApi, nextPage } from "./api";
import { VISITS_PER_PAGE } from "./visits";

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
    path: (item) => (item.flag("hasRedirectRules") === true ? pathOf(item, "redirect-rules") : undefined),
    into: (item, body) => ({ ...item.values, redirectRules: itemsUnder(body, "redirectRules") ?? [] }),
  },
  visits: {
    count: shlinkVisits,
    path: (item, page) => pathOf(item, "visits", { page: String(page), itemsPerPage: String(VISITS_PER_PAGE) }),
    read(body) {
      const list = SourceRecord.of(body)?.under("visits");
      const items = itemsUnder(list?.values, "data");
      const total = list?.under("pagination")?.count("totalItems");
      if (!items || total === undefined) return undefined;
      return { times: items.map((item) => SourceRecord.of(item)?.text("date")), total };
    },
    into: (item, visitsByDay) => ({ ...item.values, visitsByDay }),
  },
};

/** Returns undefined for an item without a code. */
function pathOf(item: SourceRecord, what: string, query: Record<string, string> = {}): string | undefined {
  const [code, domain] = [item.text("shortCode"), item.text("domain")];
  if (code === undefined) return undefined;
  const path = code.split("/").map(encodeURIComponent).join("/");
  const asked = new URLSearchParams({ ...query, ...(domain && { domain }) });
  return `/rest/v3/short-urls/${path}/${what}${asked.size > 0 ? `?${asked}` : ""}`;
}
