/**
 * Where visitors go without a link to follow, as configured by a link or a domain: from a domain's root, and instead
 * of an error page. Everyone is redirected, whatever they accept, but not in a circle. A link's URLs are checked when
 * the link changes and periodically; a domain's own URLs are checked against the blocklist here, in memory.
 */
import type { CompiledLink } from "@/core/routing/compiled-link";
import { checkGate } from "@/core/routing/gate";
import { onwardUrl } from "@/core/routing/onward";
import type { Clock } from "@/platform/clock";
import type { Host, HostDirectory } from "@/platform/hosts/hosts";
import { addressKey } from "@/platform/link-cache/address";
import type { LinkCache } from "@/platform/link-cache/cache";
import { redirectInstead } from "./answers";

const LOOKUP_MS_MAX = 300;

export interface FallbackRedirects {
  /** `status` is that of the refusal. Returns undefined if the visitor is to be refused. */
  ofLink(link: CompiledLink, request: Request, status: number): Response | undefined;
  atAddress(host: string, request: Request, status: number): Response | undefined;
  /** Redirects from the host's root; undefined if it is not configured to. */
  atRoot(host: string, request: Request): Response | undefined;
  /** Returns the key of the bio page served at the host's root. */
  rootKey(host: string): string | undefined;
  /**
   * Resolves to whether visitors get anywhere from the host's root. Waits at most `LOOKUP_MS_MAX` for a page that is not
   * cached; one that is still unknown then counts as a page. Never rejects.
   */
  hasHome(host: string): Promise<boolean>;
}

export interface OnwardOptions {
  hosts: HostDirectory;
  links: Pick<LinkCache, "peek" | "get">;
  clock: Clock;
  /** True if the blocklist contains the URL. */
  isListed(url: string): boolean;
  /** True if redirects lead from the URL in a circle. */
  leadsInCircle(url: string): boolean;
}

export function createOnward({ hosts, links, clock, isListed, leadsInCircle }: OnwardOptions): FallbackRedirects {
  return {
    ofLink({ definition }, request, status) {
      const { expiredUrl, shortUrl } = definition;
      if (status === 410 && expiredUrl !== null && !leadsInCircle(expiredUrl)) {
        return redirectInstead(request, expiredUrl);
      }
      return status === 404 || status === 410 ? at(new URL(shortUrl).host, request, status) : undefined;
    },
    atAddress: at,
    atRoot(host, request) {
      const root = hosts.of(host)?.redirects.root;
      return typeof root === "string" ? send(request, root) : undefined;
    },
    rootKey: (host) => rootKeyOf(hosts.of(host)),
    async hasHome(host) {
      const found = hosts.of(host);
      // The root of a dashboard is not for visitors.
      if (!found || found.isDashboard) return false;
      const { root } = found.redirects;
      if (typeof root === "string") return leadsOn(root);
      const key = rootKeyOf(found);
      return key !== undefined && isPageOpen(key);
    },
  };

  async function isPageOpen(key: string): Promise<boolean> {
    const now = clock();
    const known = links.peek(key, now);
    const page = known === undefined ? await Promise.race([loaded(key), Bun.sleep(LOOKUP_MS_MAX)]) : known;
    if (page === undefined) return true;
    return page !== null && checkGate(page.definition.gate, { now }).does === "admit";
  }

  /** Resolves to undefined if the page cannot be looked up; its own visit reports why. */
  function loaded(key: string): Promise<CompiledLink | null | undefined> {
    return links.get(key).catch(() => undefined);
  }

  function at(host: string, request: Request, status: number): Response | undefined {
    const found = hosts.of(host);
    const url = found ? onwardUrl(status, null, found.redirects) : null;
    return url === null ? undefined : send(request, url);
  }

  function send(request: Request, url: string): Response | undefined {
    return leadsOn(url) ? redirectInstead(request, url) : undefined;
  }

  function leadsOn(url: string): boolean {
    return !isListed(url) && !leadsInCircle(url);
  }
}

const rootKeyOf = (host: Host | undefined): string | undefined =>
  host?.rootSlug ? addressKey({ host: host.hostname, prefix: "", slug: host.rootSlug }) : undefined;
