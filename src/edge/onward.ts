/**
 * Where visitors go without a link to follow, as a link or a domain says: from a domain's root, and instead of an error
 * page. Everyone is sent there, whatever they accept. Links are judged when they change and from time to time; a domain's
 * own URLs are held against the blocklist here, in memory.
 */
import type { CompiledLink } from "@/core/routing/compiled-link";
import { onwardUrl } from "@/core/routing/onward";
import type { HostDirectory } from "@/platform/hosts/hosts";
import { addressKey } from "@/platform/link-cache/address";
import { sendOn } from "./answers";

export interface OnwardAnswers {
  /** `status` is what the visitor would get; undefined: they get it. */
  ofLink(link: CompiledLink, request: Request, status: number): Response | undefined;
  atAddress(host: string, request: Request, status: number): Response | undefined;
  /** Where the host's root leads. */
  atRoot(host: string, request: Request): Response | undefined;
  /** The key of the bio page that is served at the host's root. */
  rootKey(host: string): string | undefined;
}

export interface OnwardOptions {
  hosts: HostDirectory;
  /** Whether the blocklist names the URL. */
  isListed(url: string): boolean;
}

export function createOnward({ hosts, isListed }: OnwardOptions): OnwardAnswers {
  return {
    ofLink({ definition }, request, status) {
      const { expiredUrl, shortUrl } = definition;
      if (status === 410 && expiredUrl !== null) return sendOn(request, expiredUrl);
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
    return isListed(url) ? undefined : sendOn(request, url);
  }
}
