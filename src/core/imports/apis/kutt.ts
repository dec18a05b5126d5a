/** Kutt (https://docs.kutt.it): by offset. With an administrator's key, `all` returns the links of all users. */
import { SourceRecord } from "../record";
import { itemsUnder, type LinkApi, nextOffset } from "./api";

const LIMIT = 50;

export const kuttApi: LinkApi = {
  source: "kutt",
  baseUrl: null,
  headers: ({ apiKey }) => ({ "x-api-key": apiKey }),
  list: (after) => ({
    path: `/api/v2/links?${new URLSearchParams({ limit: String(LIMIT), skip: after ?? "0", all: "true" })}`,
  }),
  read(body, after) {
    const items = itemsUnder(body, "data");
    if (!items) return undefined;
    const total = SourceRecord.of(body)?.count("total") ?? Number.POSITIVE_INFINITY;
    const isOver = items.length < LIMIT || Number(after ?? 0) + items.length >= total;
    return { items, after: isOver ? null : nextOffset(after, items.length) };
  },
};
