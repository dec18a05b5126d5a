/**
 * Puts changed links into the lists that have been read, so that the change of one link does not read all pages of a
 * long list again. A list is read again only if it cannot be told here whether, or where, a link is in it now.
 */
import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { LinkState } from "@/contract/links/link-lists";
import type { Blocker } from "@/contract/links/link-preview";
import type { Schemas } from "../api/client";
import { isSame } from "../drafts/rebase";
import type { Link, LinkFilters, ServedLink } from "./queries";

type Page = Schemas["LinkPage"];
type Pages = InfiniteData<Page, string | undefined>;

export const listsKey = (orgId: string) => ["links", orgId, "list"] as const;

/** Invalidates everything about links but the lists. */
export const refreshOthers = (client: QueryClient, orgId: string): Promise<unknown> =>
  client.invalidateQueries({ queryKey: ["links", orgId], predicate: ({ queryKey }) => queryKey[2] !== "list" });

export const putLinks = (client: QueryClient, orgId: string, links: readonly (Link | ServedLink)[]): Promise<unknown> =>
  editLists(client, orgId, (pages, filters) => withLinks(pages, filters, links));

export const dropLinks = (client: QueryClient, orgId: string, ids: readonly string[]): Promise<unknown> =>
  editLists(client, orgId, (pages) => {
    const held = new Set(rowsOf(pages).map(({ _id }) => _id));
    return ids.every((id) => held.has(id)) ? withoutLinks(pages, new Set(ids)) : undefined;
  });

/** Adds a new link. */
export const addLink = (client: QueryClient, orgId: string, link: ServedLink): Promise<unknown> =>
  editLists(client, orgId, (pages, filters) => (isPlain(filters) ? withFirst(pages, link) : undefined));

/** True if a list is so long that reading it again takes several requests. */
export const isAnyLong = (client: QueryClient, orgId: string): boolean =>
  client.getQueriesData<Pages>({ queryKey: listsKey(orgId) }).some(([, data]) => (data?.pages.length ?? 0) > 1);

/** `edit` returns undefined if the list has to be read again. */
function editLists(
  client: QueryClient,
  orgId: string,
  edit: (pages: Pages, filters: LinkFilters) => Pages | undefined,
): Promise<unknown> {
  const queryKey = listsKey(orgId);
  return Promise.all(
    client
      .getQueryCache()
      .findAll({ queryKey })
      .map(async (query) => {
        const { data, fetchStatus, isInvalidated, dataUpdatedAt: updatedAt } = query.state;
        // What is under way may lack the change, and would replace what is put in here.
        const isSettled = data !== undefined && fetchStatus === "idle" && !isInvalidated;
        const edited = isSettled ? edit(data as Pages, query.queryKey[3] as LinkFilters) : undefined;
        if (edited) client.setQueryData(query.queryKey, edited, { updatedAt });
        else await client.invalidateQueries({ queryKey: query.queryKey, exact: true });
      }),
  );
}

const rowsOf = ({ pages }: Pages): ServedLink[] => pages.flatMap(({ links }) => links);

function withLinks(pages: Pages, filters: LinkFilters, links: readonly (Link | ServedLink)[]): Pages | undefined {
  const held = new Map(rowsOf(pages).map((row) => [row._id, row]));
  const shown = new Map<string, ServedLink>();
  const left = new Set<string>();
  for (const link of links) {
    const before = held.get(link._id);
    const now = before && servedFrom(before, link);
    if (!before || !now || mayHaveMoved(filters, before, now)) return undefined;
    if (isListed(filters, now)) shown.set(now._id, now);
    else left.add(now._id);
  }
  const put = pages.pages.map((page) => ({ ...page, links: page.links.map((row) => shown.get(row._id) ?? row) }));
  return withoutLinks({ ...pages, pages: put }, left);
}

function withoutLinks(pages: Pages, ids: ReadonlySet<string>): Pages | undefined {
  const left = pages.pages.map((page) => ({
    ...page,
    total: page.total - ids.size,
    links: page.links.filter(({ _id }) => !ids.has(_id)),
  }));
  const isEmpty = left.every(({ links }) => links.length === 0);
  return isEmpty && left.at(-1)?.nextCursor !== null ? undefined : { ...pages, pages: left };
}

function withFirst(pages: Pages, link: ServedLink): Pages {
  const more = pages.pages.map((page) => ({ ...page, total: page.total + 1 }));
  return { ...pages, pages: more.map((page, at) => (at === 0 ? { ...page, links: [link, ...page.links] } : page)) };
}

/** True for the list of all links, newest first. */
const isPlain = (filters: LinkFilters): boolean => Object.values(filters).every((value) => value === undefined);

/** What decides, beside being paused, whether a link serves. */
const DECISIVE = ["startsAt", "expiresAt", "maxClicks", "passwordProtected", "safety", "domainId"] as const;

/** Returns the link with why it does not serve; undefined if only the service can tell. */
function servedFrom(before: ServedLink, link: Link | ServedLink): ServedLink | undefined {
  if ("blockers" in link) return link;
  if (DECISIVE.some((name) => !isSame(before[name], link[name]))) return undefined;
  const others: Blocker[] = before.blockers.filter((blocker) => blocker !== "inactive");
  // The decisive reason comes first.
  const place = others[0] === "domain_unverified" ? 1 : 0;
  return { ...link, blockers: link.isActive ? others : others.toSpliced(place, 0, "inactive") };
}

/** True if the list may have the link at another place, or no more, for what the service alone compares. */
function mayHaveMoved({ search, tag, sort }: LinkFilters, before: Link, now: Link): boolean {
  const isChanged = (...names: (keyof Link)[]) => names.some((name) => !isSame(before[name], now[name]));
  return (
    isChanged("domainId") ||
    (search !== undefined && isChanged("title", "slug", "defaultUrl", "notes")) ||
    (tag !== undefined && isChanged("tags")) ||
    (sort === "title" && isChanged("title", "slug"))
  );
}

const isListed = ({ isArchived = false, state }: LinkFilters, now: ServedLink): boolean =>
  now.isArchived === isArchived && (state === undefined || stateOf(now.blockers) === state);

const STATES: Partial<Record<Blocker, LinkState>> = {
  ...{ domain_unverified: "inactive", inactive: "inactive", unsafe: "unsafe" },
  ...{ not_started: "scheduled", expired: "expired", max_clicks_reached: "used_up" },
};

/** A password keeps a link in service. */
const stateOf = ([first]: readonly Blocker[]): LinkState => (first && STATES[first]) ?? "serving";
