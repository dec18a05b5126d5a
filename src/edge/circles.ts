/**
 * Finds redirects without a link that lead in a circle: two domains, or two links that have ended, may each send the
 * visitors whom they turn away to the other. Settings cannot prevent that, because it also depends on which links there
 * are, and on other organizations.
 *
 * Reads only memory: an address of which nothing is known here counts as one that leads somewhere, and is looked up for
 * the next visit. So each server breaks a circle when a visitor comes round, whichever servers the others come to.
 */
import { OWN_SEGMENTS, RESERVED_SEGMENTS } from "@/core/names/reserved";
import { checkGate } from "@/core/routing/gate";
import { onwardUrl } from "@/core/routing/onward";
import type { Clock } from "@/platform/clock";
import type { Host, HostDirectory } from "@/platform/hosts/hosts";
import { type Addressing, addressKey, addressOf, formerAddressOf, normaliseHost } from "@/platform/link-cache/address";
import type { LinkCache } from "@/platform/link-cache/cache";

/** Browsers follow about as many redirects in a row. */
const REDIRECTS_MAX = 20;

export interface CircleOptions {
  hosts: HostDirectory;
  links: Pick<LinkCache, "peek" | "get">;
  addressing: Addressing;
  clock: Clock;
}

/** Returns a function that is true for a URL from which redirects lead in a circle, as far as is known. */
export function createCircleCheck({ hosts, links, addressing, clock }: CircleOptions): (url: string) => boolean {
  return (url) => {
    const passed = new Set<string>();
    for (let next: string | null = url; next !== null; next = onwardFrom(next)) {
      if (passed.has(next) || passed.size >= REDIRECTS_MAX) return true;
      passed.add(next);
    }
    return false;
  };

  /** Returns where a visit to the URL is redirected without a link; null if it is not, or if that is not known. */
  function onwardFrom(url: string): string | null {
    const { host, pathname } = new URL(url);
    const found = hosts.of(host);
    if (!found) return isShared(host) ? onwardFromPath(host, pathname, {}) : null;
    const { redirects, rootSlug } = found;
    if (pathname !== "/") return isShort(found, pathname) ? onwardFromPath(host, pathname, redirects) : null;
    if (found.isDashboard) return null;
    if (rootSlug !== null) return onwardFromPath(host, `/${rootSlug}`, redirects);
    return typeof redirects.root === "string" ? redirects.root : onwardUrl(404, null, redirects);
  }

  /** The shared domain belongs to no organization, so it has no redirects of its own, but its links may have. */
  function isShared(host: string): boolean {
    const { shortDomain } = addressing;
    return normaliseHost(host, shortDomain) === shortDomain;
  }

  function onwardFromPath(host: string, path: string, redirects: Host["redirects"]): string | null {
    const address = addressOf(host, path, addressing);
    if (!address || formerAddressOf(host, path, addressing)) return null;
    const [key, now] = [addressKey(address), clock()];
    const link = links.peek(key, now);
    if (link === undefined) {
      // An address that cannot be looked up stays unknown; its own visit reports why.
      links.get(key).catch(() => null);
      return null;
    }
    if (link === null) return onwardUrl(404, null, redirects);
    const answer = checkGate(link.definition.gate, { now });
    return answer.does === "refuse" ? onwardUrl(answer.refusal.status, link.definition, redirects) : null;
  }
}

/** False for the paths that lead to no link on this host. */
function isShort({ isDashboard }: Host, path: string): boolean {
  const segment = path.split("/", 2).join("").toLowerCase();
  return !RESERVED_SEGMENTS.has(segment) && !(isDashboard && OWN_SEGMENTS.has(segment));
}
