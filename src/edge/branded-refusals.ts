/**
 * Refusals with the branding of the organization concerned: the link's or, if there is no link or none may be
 * revealed, that of the organization that owns the domain. So an address without a link looks like that of a link that
 * is not served. If the link or the domain defines where such visitors go, they are redirected there instead.
 */
import type { CompiledLink } from "@/core/routing/compiled-link";
import type { HostDirectory } from "@/platform/hosts/hosts";
import { refuse } from "./answers";
import type { BrandOf } from "./branding";
import type { FallbackRedirects } from "./onward";
import { isHuman, wantsJson } from "./person";
import { REFUSALS, type RefusalReason, type VisitRefusal } from "./refusals";
import { type PagePlace, themeOf } from "./theme";
import type { UnservedCounter } from "./unserved";
import type { VisitCounts } from "./visit-counts";

/** Refusals of a link with its branding. */
const OF_LINK = new Set<RefusalReason>([
  ...(["expired", "max_clicks_reached", "password_required", "password_incorrect"] as const),
  ...(["attempts", "busy", "form_too_large", "method", "unavailable"] as const),
]);
/** Comes plain: no branding may vouch for such a link. */
const UNBRANDED: RefusalReason = "unsafe";

type Answer = Response | Promise<Response>;

export interface BrandedRefusals {
  /** Refuses a visit to an existing link. */
  ofLink(link: CompiledLink, request: Request, refused: VisitRefusal): Answer;
  /** Refuses a visit to an address without a link; `path` begins with a slash. */
  atAddress(host: string, path: string, request: Request, refused: VisitRefusal): Answer;
  /** Refuses a visit to the host for a reason that says nothing about its links. */
  atHost(host: string, request: Request, refused: VisitRefusal): Answer;
}

export interface BrandedRefusalsOptions {
  brandOf: BrandOf;
  hosts: HostDirectory;
  counts: VisitCounts;
  unserved: UnservedCounter;
  onward: FallbackRedirects;
  /** The domain that all organizations share. */
  sharedHost: string;
}

export function createBrandedRefusals(options: BrandedRefusalsOptions): BrandedRefusals {
  const { brandOf, hosts, counts, unserved, onward, sharedHost } = options;
  return {
    ofLink(link, request, refused) {
      const { orgId, shortUrl } = link.definition;
      unserved.ofLink(link, refused.reason, !isHuman(request));
      const sent = onward.ofLink(link, request, statusOf(refused));
      if (sent) return counted(refused, sent);
      const { host } = new URL(shortUrl);
      return OF_LINK.has(refused.reason)
        ? refuseBranded(orgId, host, request, refused)
        : atHost(host, request, refused);
    },
    atAddress(host, path, request, refused) {
      unserved.atAddress(host, path, refused.reason, refused.reason === "probing" || !isHuman(request));
      const sent = onward.atAddress(host, request, statusOf(refused));
      return sent ? counted(refused, sent) : atHost(host, request, refused);
    },
    atHost,
  };

  function counted({ reason }: VisitRefusal, answer: Response): Response {
    counts.refusals[reason] += 1;
    return answer;
  }

  function atHost(host: string, request: Request, refused: VisitRefusal): Answer {
    return refuseBranded(refused.reason === UNBRANDED ? undefined : hosts.of(host)?.orgId, host, request, refused);
  }

  function refuseBranded(orgId: string | undefined, host: string, request: Request, refused: VisitRefusal): Answer {
    const { reason, retryAfterSeconds, allow } = refused;
    counts.refusals[reason] += 1;
    if (wantsJson(request.headers)) return refuse(request, reason, { retryAfterSeconds, allow });
    return Promise.all([placeOf(host), orgId === undefined ? null : brandOf(orgId)]).then(([place, brand]) =>
      refuse(request, reason, { retryAfterSeconds, allow, theme: themeOf(request, brand, place) }),
    );
  }

  /** A host that belongs to no organization is one of the service's own. */
  async function placeOf(host: string): Promise<PagePlace> {
    const found = hosts.of(host);
    return {
      host: found?.hostname ?? host,
      isOurs: found === undefined,
      isShared: host === sharedHost,
      hasHome: await onward.hasHome(host),
    };
  }
}

const statusOf = ({ reason }: VisitRefusal): number => REFUSALS[reason].status;
