/**
 * Where visitors go without a link to follow, as configured by a link or a domain: from a domain's root, and instead
 * of an error page. Everyone is redirected, whatever they accept, but not in a circle. A link's URLs are checked when
 * the link changes and periodically; a domain's own URLs are checked against the blocklist here, in memory.
 */
import type { CompiledLink } from "@/core/routing/compiled-link";
import { onwardUrl } from "@/core/routing/onward";
import type { HostDirectory } from "@/platform/hosts/hosts";
import { addressKey } from "@/platform/link-cache/address";
import { redirectInstead } from "./answers";

export interface FallbackRedirects {
  /** `status` is that of the refusal. Returns undefined if the visitor is to be refused. */
  ofLink(link: CompiledLink, request: Request, status: number): Response | undefined;
  atAddress(host: string, request: Request, status: number): Response | undefined;
  /** Redirects from the host's root; undefined if it is not configured to. */
  atRoot(host: string, request: Request): Response | undefined;
  /** Returns the key of the bio page served at the host's root. */
  rootKey(host: string): string | undefined;
}

export interface OnwardOptions {
  hosts: HostDirectory;
  /** True if the blocklist contains the URL. */
  isListed(url: string): boolean;
  /** True if redirects lead from the URL in a circle. */
  leadsInCircle(url: string): boolean;
}

export function createOnward({ hosts, isListed, leadsInCircle }: OnwardOptions): FallbackRedirects {
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
    rootKey(host) {
      const found = hosts.of(host);
      return found?.rootSlug ? addressKey({ host: found.hostname, prefix: "", slug: found.rootSlug }) : undefined;
    },
  };

  function at(host: string, request: Request, status: number): Response | undefined {
    const found = hosts.of(host);
    const url = found ? onwardUrl(status, null, found.redirects) : null;
    return url === null ? undefined : send(request, url);
  }

  function send(request: Request, url: string): Response | undefined {
    return isListed(url) || leadsInCircle(url) ? undefined : redirectInstead(request, url);
  }
}
