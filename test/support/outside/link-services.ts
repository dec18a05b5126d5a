/**
 * Stand-ins for the APIs of other link services, all on one port of 127.0.0.1. Paths, headers, paging and fields
 * follow the services' own documentation and source code. `items` holds the links of each, in the format of its API.
 */
import { afterAll } from "bun:test";

type Item = Record<string, unknown>;
type Answering = (request: Request) => Response | Promise<Response | undefined> | undefined;

export interface TestLinkServices {
  url: string;
  key: string;
  items: Map<string, Item[]>;
  /** Shlink's redirect rules, by short code. */
  rules: Map<string, Item[]>;
  /** The times of visits at Shlink, by short code, the newest first. */
  visits: Map<string, string[]>;
  /** Requests received; `path` includes the query. */
  asked: { path: string; headers: Headers; body: string }[];
  /** Responds in place of the service, unless it returns undefined. */
  answering: Answering | null;
}

/** Starts stand-ins that stop after the test file. */
export function startLinkServices(): TestLinkServices {
  const services: TestLinkServices = {
    ...{ url: "", key: `key-${crypto.randomUUID()}`, items: new Map(), rules: new Map(), visits: new Map() },
    ...{ asked: [], answering: null },
  };
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => answer(services, request) });
  afterAll(() => server.stop(true));
  services.url = `http://127.0.0.1:${server.port}`;
  return services;
}

async function answer(services: TestLinkServices, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const body = await request.text();
  services.asked.push({ path: url.pathname + url.search, headers: request.headers, body });
  const instead = await services.answering?.(request);
  if (instead) return instead;
  const [, name = "", ...path] = url.pathname.split("/");
  const form = new URLSearchParams(body);
  const { authorization, apikey, ...headers } = Object.fromEntries(request.headers);
  const given = [authorization?.replace("Bearer ", ""), apikey, headers["x-api-key"], form.get("signature")];
  if (!given.includes(services.key)) return Response.json({ message: "FORBIDDEN" }, { status: 403 });
  const list = LISTS[name]?.({
    ...{ items: services.items.get(name) ?? [], path: `/${path.join("/")}` },
    ...{ rules: services.rules, visits: services.visits },
    ...{ method: request.method, query: url.searchParams, form },
  });
  return list ? Response.json(list) : Response.json({ message: "NOT_FOUND" }, { status: 404 });
}

interface Asked {
  items: Item[];
  rules: TestLinkServices["rules"];
  visits: TestLinkServices["visits"];
  path: string;
  method: string;
  query: URLSearchParams;
  form: URLSearchParams;
}

const LISTS: Record<string, (asked: Asked) => unknown> = {
  dub: ({ items, path, query }) =>
    path === "/links" ? paged(items, Number(query.get("page")), Number(query.get("pageSize"))) : undefined,
  shlink: ({ items, rules, visits, path, query }) => {
    const [, visited] = /^\/rest\/v3\/short-urls\/(.+)\/visits$/.exec(path) ?? [];
    if (visited !== undefined) return { visits: visitsPage(visits.get(visited) ?? [], query) };
    const [, code] = /^\/rest\/v3\/short-urls\/(.+)\/redirect-rules$/.exec(path) ?? [];
    if (code !== undefined) return { defaultLongUrl: "", redirectRules: rules.get(code) ?? [] };
    if (path !== "/rest/v3/short-urls") return undefined;
    const [page, size] = [Number(query.get("page")), Number(query.get("itemsPerPage"))];
    const pagination = { currentPage: page, pagesCount: Math.ceil(items.length / size), itemsPerPage: size };
    return { shortUrls: { data: paged(items, page, size), pagination } };
  },
  bitly: ({ items, path, query }) => {
    if (path === "/v4/groups")
      return {
        groups: [
          { guid: "Bk1", name: "One" },
          { guid: "Bk2", name: "Two" },
        ],
      };
    const [, group] = /^\/v4\/groups\/(\w+)\/bitlinks$/.exec(path) ?? [];
    const own = items.filter((item) => item.group === group);
    const from = Number(query.get("search_after") ?? 0);
    const size = Number(query.get("size"));
    const isOver = from + size >= own.length;
    return {
      links: own.slice(from, from + size),
      pagination: { search_after: isOver ? "" : String(from + size), next: "", size, total: own.length },
    };
  },
  yourls: ({ items, path, method, form }) => {
    if (path !== "/yourls-api.php" || method !== "POST" || form.get("filter") !== "last") return undefined;
    const [start, limit] = [Number(form.get("start")), Number(form.get("limit"))];
    const links = items.slice(start, start + limit).map((item, index) => [`link_${index + 1}`, item]);
    return { links: Object.fromEntries(links), stats: { total_links: String(items.length) }, statusCode: 200 };
  },
  kutt: ({ items, path, query }) => {
    if (path !== "/api/v2/links") return undefined;
    const [skip, limit] = [Number(query.get("skip")), Number(query.get("limit"))];
    return { total: items.length, limit, skip, data: items.slice(skip, skip + limit) };
  },
  shortio: ({ items, path, query }) => {
    if (path === "/api/domains") return [{ id: 71, hostname: "go.acme.com" }];
    if (path !== "/api/links" || query.get("domain_id") !== "71") return undefined;
    const from = Number(query.get("pageToken") ?? 0);
    const next = from + Number(query.get("limit"));
    return { links: items.slice(from, next), nextPageToken: next < items.length ? String(next) : null };
  },
  rebrandly: ({ items, path, query }) => {
    if (path !== "/v1/links" || query.get("orderDir") !== "asc") return undefined;
    const from = items.findIndex(({ id }) => id === query.get("last")) + 1;
    return items.slice(from, from + Number(query.get("limit")));
  },
};

function visitsPage(times: string[], query: URLSearchParams) {
  const [page, size] = [Number(query.get("page")), Number(query.get("itemsPerPage"))];
  const data = times.slice((page - 1) * size, page * size).map((date) => ({
    ...{ referer: "", date, userAgent: "Mozilla/5.0", visitLocation: null, potentialBot: false, visitedUrl: null },
  }));
  const pagesCount = Math.ceil(times.length / size);
  const counts = { itemsPerPage: size, itemsInCurrentPage: data.length, totalItems: times.length };
  return { data, pagination: { currentPage: page, pagesCount, ...counts } };
}

const paged = (items: Item[], page: number, size: number): Item[] => items.slice((page - 1) * size, page * size);
