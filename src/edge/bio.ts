/**
 * Serves a visit that a bio page admits. Viewing the page is not a click. `?item=<key>` redirects to the item's
 * destination and counts a click of the page, with the item as its split target. An unknown key shows the page.
 *
 * Items that name a link lead to its short URL, and are left out unless that link would admit visitors. Its state
 * comes from the link cache, which receives every change, so the page is up to date immediately and keeps no copy.
 * The page waits at most `LOOKUP_MS_MAX` for links that are not cached. An item whose link is still unknown then is
 * shown: its short URL will decide.
 */
import { withoutOwnParameters } from "@/core/query";
import { type CompiledLink, finalDestination, type Route } from "@/core/routing/compiled-link";
import { checkGate } from "@/core/routing/gate";
import type { LinkDefinition, ServedBioPage } from "@/core/routing/link";
import { itemImagePath, pageImagePath } from "@/platform/images/page-image";
import { type Addressing, addressKey, formerAddressOf, addressOf as parseAddress } from "@/platform/link-cache/address";
import type { LinkCache } from "@/platform/link-cache/cache";
import type { Log } from "@/platform/telemetry/log";
import { throttleReports } from "@/platform/telemetry/throttle-reports";
import { answerPage, redirect } from "./answers";
import type { BrandOf } from "./branding";
import type { Hit } from "./hit";
import { bioPage, type ShownItem, type ShownPage } from "./pages/bio";
import { themeOf } from "./theme";
import { clickOf, type Visit, type VisitOptions, visitId } from "./visit";

const LOOKUP_MS_MAX = 500;
const SAY_EVERY_MS = 10_000;
const ITEM_PARAMETER = "item";
/** A longer query is not repeated in the items' URLs, or the page would be many times as long as the request. */
const CARRIED_LENGTH_MAX = 512;

export interface BioVisitOptions extends Pick<VisitOptions, "tokenOf" | "counts" | "record"> {
  brandOf: BrandOf;
  links: Pick<LinkCache, "peek" | "get">;
  log: Log;
  addressing: Addressing;
}

type Item = ServedBioPage["items"][number];

/** A deadline that all items of a page share. It starts with the first item that has to be waited for. */
class LookupDeadline {
  #passed: Promise<true> | undefined;

  passed(): Promise<true> {
    this.#passed ??= Bun.sleep(LOOKUP_MS_MAX).then(() => true);
    return this.#passed;
  }
}

export function createBioVisit(options: BioVisitOptions): Visit {
  const { links, tokenOf, brandOf, counts, record, log, addressing } = options;
  const sayUntold = throttleReports(SAY_EVERY_MS, (error, unsaid) =>
    log.warn("could not look up the links of bio page items", { error, unsaid }),
  );

  return async (link, hit) => {
    const { request, query, at } = hit;
    const { page, orgId } = link.definition;
    if (page?.kind !== "bio") throw new Error("A link was visited as a bio page");
    const key = new URLSearchParams(query).get(ITEM_PARAMETER);
    const route = key === null ? undefined : link.targetRoute(key);
    if (route) return follow(link, route, hit);
    counts.pages += 1;
    const [items, brand] = await Promise.all([
      shownItems(link.definition.id, page, carriedQuery(query), at),
      brandOf(orgId),
    ]);
    const theme = themeOf(request, brand);
    const html = bioPage(theme, { ...bioPageOf(link.definition, page), items });
    return answerPage(request, { theme, headers: HEADERS, html });
  };

  async function follow(link: CompiledLink, route: Route, hit: Hit): Promise<Response> {
    counts.redirects[route.kind] += 1;
    const { request, query, at } = hit;
    const id = visitId(at);
    const location = finalDestination(link, route, {
      query: queryWithout(query, ITEM_PARAMETER),
      clickId: id,
      matchToken: tokenOf({ link, route, request, clickId: id, at }),
    });
    await record(clickOf(link, route, hit, id));
    return redirect(route, location);
  }

  async function shownItems(pageId: string, page: ServedBioPage, carried: string, at: number): Promise<ShownItem[]> {
    const deadline = new LookupDeadline();
    const shown = page.items.map(async (item) => {
      const { title, icon, display, isActive } = item;
      const isHeading = display === "heading";
      const href = isActive && !isHeading ? await hrefOf(item, carried, at, deadline) : null;
      const isShown = isHeading ? isActive : href !== null;
      return isShown ? [{ title, icon, display, href, imageUrl: itemImagePath(pageId, item) }] : [];
    });
    return (await Promise.all(shown)).flat();
  }

  async function hrefOf(item: Item, carried: string, at: number, deadline: LookupDeadline): Promise<string | null> {
    const { key, linkId, linkUrl } = item;
    if (linkId === undefined) return `?${ITEM_PARAMETER}=${encodeURIComponent(key)}${carried && `&${carried}`}`;
    if (linkUrl === undefined) return null;
    const keys = keysOf(linkUrl, addressing);
    const here = keys.map((address) => links.peek(address, at));
    const isOpen = here.includes(undefined)
      ? await Promise.race([isOpenOnceLoaded(item, keys, at), deadline.passed()])
      : here.some((found) => isOpenFor(item, found, at));
    return isOpen ? linkUrl + (carried && `?${carried}`) : null;
  }

  async function isOpenOnceLoaded(item: Item, keys: string[], at: number): Promise<boolean> {
    try {
      const found = await Promise.all(keys.map((key) => links.get(key)));
      return found.some((link) => isOpenFor(item, link, at));
    } catch (error) {
      sayUntold(error);
      return true;
    }
  }
}

/** Returns the keys at which the link may be found: usually one, unless the link kept its former key. */
function keysOf(shortUrl: string, addressing: Addressing): string[] {
  const { host, pathname } = new URL(shortUrl);
  const addresses = [formerAddressOf(host, pathname, addressing), parseAddress(host, pathname, addressing)];
  return addresses.flatMap((address) => (address ? [addressKey(address)] : []));
}

function bioPageOf({ id, title, shortUrl }: LinkDefinition, { bio, theme }: ServedBioPage): Omit<ShownPage, "items"> {
  const { avatarUrl, coverUrl } = theme;
  return {
    title: title ?? "",
    bio,
    bioTheme: theme,
    url: shortUrl,
    avatarUrl: avatarUrl ? pageImagePath("avatar", id, avatarUrl) : null,
    coverUrl: coverUrl ? pageImagePath("cover", id, coverUrl) : null,
  };
}

/** True if the item's link is at its address and admits a visitor who knows its password and gets a place. */
function isOpenFor({ linkId }: Item, found: CompiledLink | null | undefined, at: number): boolean {
  if (!found || found.definition.id !== linkId) return false;
  return checkGate(found.definition.gate, { now: at, password: "correct", admitted: 0 }).does === "admit";
}

const nameOf = (part: string): string => [...new URLSearchParams(part).keys()].join();

const queryWithout = (query: string, name: string): string =>
  query
    .split("&")
    .filter((part) => part !== "" && nameOf(part) !== name)
    .join("&");

/**
 * Returns the query parameters to pass on to an item's destination, as a link would: no passwords, which are for one
 * link.
 */
function carriedQuery(query: string): string {
  return query.length > CARRIED_LENGTH_MAX ? "" : withoutOwnParameters(queryWithout(query, ITEM_PARAMETER));
}

/** Unlike redirects, a bio page may be indexed: it is public and meant to be found. */
const HEADERS = { "x-robots-tag": "all", "referrer-policy": "no-referrer-when-downgrade" };
