/**
 * Attributes a refused visit and decides what is recorded of it. It belongs to the link that refused it, else to the
 * organization whose verified domain it came to, else to no one.
 */
import { UNSERVED_STATUS, type UnservedReason } from "@/contract/analytics/unserved";
import type { CompiledLink } from "@/core/routing/compiled-link";
import type { Clock } from "@/platform/clock";
import type { HostDirectory } from "@/platform/hosts/hosts";
import { shownPath, type UnservedVisit } from "@/platform/unserved/counts";
import type { RefusalReason } from "./refusals";

export interface UnservedCounter {
  ofLink(link: CompiledLink, reason: RefusalReason, isBot: boolean): void;
  /** `path` begins with a slash. */
  atAddress(host: string, path: string, reason: RefusalReason, isBot: boolean): void;
}

export interface UnservedCounterOptions {
  hosts: HostDirectory;
  sharedDomain: { id: string; hostname: string };
  clock: Clock;
  countUnserved(visit: UnservedVisit): void;
}

export function createUnservedCounter({
  hosts,
  sharedDomain,
  clock,
  countUnserved,
}: UnservedCounterOptions): UnservedCounter {
  return {
    ofLink({ definition: { id: linkId, orgId, shortUrl } }, reason, isBot) {
      const domainId = isUnserved(reason) ? domainOf(new URL(shortUrl).host) : undefined;
      if (domainId !== undefined && isUnserved(reason)) {
        countUnserved({ orgId, domainId, linkId, reason, isBot, at: clock() });
      }
    },

    /**
     * Records of probing only that it happened: addresses that were probed are not worth the space, and probers are
     * not people.
     */
    atAddress(host, path, reason, isBot) {
      const found = isUnserved(reason) ? hosts.of(host) : undefined;
      if (!found || !isUnserved(reason)) return;
      const { orgId, domainId } = found;
      const visit = { orgId, domainId, reason, at: clock() };
      if (reason === "probing") countUnserved({ ...visit, isBot: true });
      else countUnserved({ ...visit, isBot, address: shownPath(path) });
    },
  };

  function domainOf(host: string): string | undefined {
    return host === sharedDomain.hostname ? sharedDomain.id : hosts.of(host)?.domainId;
  }
}

const isUnserved = (reason: RefusalReason): reason is UnservedReason => reason in UNSERVED_STATUS;
