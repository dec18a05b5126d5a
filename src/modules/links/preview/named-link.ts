/** The link that a preview names: by its short URL, or by its slug with an optional domain and prefix. */
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

/** Returns a function that throws 400 without an identifier. */
export function createNamedLink({ db, source, shortDomain }: NamedLinkOptions) {
  return async (tenant: Tenant, input: LinkPreviewInput): Promise<store.LinkRecord | undefined> => {
    if (input.shortUrl) return atShortUrl(tenant, input.shortUrl);
    if (!input.slug) throw invalid(["shortUrl: required, or slug with an optional domain and pathPrefix"]);
    const keys = pathKeys((input.pathPrefix ?? "").replace(/^\/+|\/+$/g, ""), input.slug);
    const host = input.domain && normaliseHost(input.domain, shortDomain);
    return firstServed(keys, ({ prefix, slug }) =>
      host
        ? store.findLinkAt(db, tenant.orgId, host, prefix, slug)
        : store.findLinkBySlug(db, tenant.orgId, prefix, slug),
    );
  };

  async function atShortUrl(tenant: Tenant, shortUrl: string): Promise<store.LinkRecord | undefined> {
    const url = URL.parse(/^https?:\/\//i.test(shortUrl) ? shortUrl : `https://${shortUrl}`);
    const address = url && addressOf(url.host, url.pathname, shortDomain);
    if (!address) throw invalid(["shortUrl: expected a short URL like https://go.example.com/slug"]);
    const former = formerAddressOf(url.host, url.pathname, shortDomain);
    return firstServed(former ? [former, address] : [address], ({ prefix, slug }) =>
      store.findLinkAt(db, tenant.orgId, address.host, prefix, slug),
    );
  }

  /**
   * Finds the organization's link at the first key that holds one. Finds nothing where another organization's link at an
   * earlier key of that domain is what visitors get.
   */
  async function firstServed(
    keys: readonly PathKey[],
    find: (key: PathKey) => Promise<store.LinkRecord | undefined>,
  ): Promise<store.LinkRecord | undefined> {
    for (const [place, key] of keys.entries()) {
      const found = await find(key);
      if (!found) continue;
      const host = found.domain.hostname;
      const before = await Promise.all(
        keys.slice(0, place).map(({ prefix, slug }) => source.byAddress({ host, prefix, slug })),
      );
      return before.every((another) => another === null) ? found : undefined;
    }
    return undefined;
  }
}

interface PathKey {
  prefix: string;
  slug: string;
}

/** Where the link may stand; one that kept its former key goes first, as for visitors. */
function pathKeys(prefix: string, slug: string): PathKey[] {
  const key = { prefix: slugKey(prefix), slug: slugKey(slug) };
  const former = formerSlugKey(`${prefix}/${slug}`);
  if (former === null) return [key];
  const end = former.lastIndexOf("/");
  return [{ prefix: former.slice(0, end), slug: former.slice(end + 1) }, key];
}
