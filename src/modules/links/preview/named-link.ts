/** Finds the link that a preview names: by its short URL, or by its slug with an optional domain and prefix. */
import type { LinkPreviewInput } from "@/contract/links/link-preview";
import type { Tenant } from "@/core/ids";
import { formerSlugKey, slugKey } from "@/core/names/slug";
import { invalid } from "@/http/errors";
import type { Db } from "@/platform/db/tx";
import { addressOf, formerAddressOf, normaliseHost } from "@/platform/link-cache/address";
import type { LinkSource } from "@/platform/link-cache/source";
import * as store from "../store";

interface NamedLinkOptions {
  db: Db;
  source: LinkSource;
  shortDomain: string;
}

/** Returns a function that throws 400 if the request has neither a valid `shortUrl` nor a `slug`. */
export function createNamedLink({ db, source, shortDomain }: NamedLinkOptions) {
  return async (tenant: Tenant, input: LinkPreviewInput): Promise<store.LinkRecord | undefined> => {
    if (input.shortUrl) return atShortUrl(tenant, input.shortUrl);
    if (!input.slug) throw invalid(["shortUrl: required, or slug with an optional domain and pathPrefix"]);
    const paths = namedPaths((input.pathPrefix ?? "").replace(/^\/+|\/+$/g, ""), input.slug);
    const host = input.domain && normaliseHost(input.domain, shortDomain);
    return firstServed(paths, (keys) =>
      host ? store.findLinkAt(db, tenant.orgId, host, keys) : store.findLinkBySlug(db, tenant.orgId, keys),
    );
  };

  async function atShortUrl(tenant: Tenant, shortUrl: string): Promise<store.LinkRecord | undefined> {
    const url = URL.parse(/^https?:\/\//i.test(shortUrl) ? shortUrl : `https://${shortUrl}`);
    const address = url && addressOf(url.host, url.pathname, { shortDomain, isCaseSensitive: () => false });
    const caseSensitive = url && addressOf(url.host, url.pathname, { shortDomain, isCaseSensitive: () => true });
    if (!address) throw invalid(["shortUrl: expected a short URL like https://go.example.com/slug"]);
    const former = formerAddressOf(url.host, url.pathname, { shortDomain, isCaseSensitive: () => false });
    return firstServed(withFormer(former, { folded: address, caseSensitive }), (keys) =>
      store.findLinkAt(db, tenant.orgId, address.host, keys),
    );
  }

  /**
   * Finds the organization's link at the first path that holds one. Returns undefined if visitors get another
   * organization's link, at an earlier path of the same domain.
   */
  async function firstServed(
    paths: readonly store.PathKeys[],
    find: (keys: store.PathKeys) => Promise<store.LinkRecord | undefined>,
  ): Promise<store.LinkRecord | undefined> {
    for (const [place, keys] of paths.entries()) {
      const found = await find(keys);
      if (!found) continue;
      const { hostname: host, isCaseSensitive } = found.domain;
      const before = await Promise.all(
        paths.slice(0, place).map(({ folded }) => !isCaseSensitive && source.byAddress({ host, ...folded })),
      );
      return before.some(Boolean) ? undefined : found;
    }
    return undefined;
  }
}

function namedPaths(prefix: string, slug: string): store.PathKeys[] {
  const former = formerSlugKey(`${prefix}/${slug}`);
  return withFormer(former === null ? null : splitPath(former), {
    folded: { prefix: slugKey(prefix), slug: slugKey(slug) },
    caseSensitive: { prefix: slugKey(prefix, true), slug: slugKey(slug, true) },
  });
}

function splitPath(path: string): store.PathKey {
  const end = path.lastIndexOf("/");
  return { prefix: path.slice(0, end), slug: path.slice(end + 1) };
}

/**
 * Lists where the link may be. As for visitors, the path of a link that kept its former key comes first; on
 * case-sensitive domains no link has one.
 */
const withFormer = (former: store.PathKey | null, keys: store.PathKeys): store.PathKeys[] =>
  former === null ? [keys] : [{ folded: former, caseSensitive: null }, keys];
