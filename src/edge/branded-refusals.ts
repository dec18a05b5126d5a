/**
 * Refusals in the look of the organization that a visitor has to do with: the link's, or, where no link is told of, the
 * one whose domain it is. So an address without a link looks like that of a link which does not serve. Where a link says
 * where its visitors go once it has ended, they are sent there instead, whatever they accept.
 */
import type { CompiledLink } from "@/core/routing/compiled-link";
import { onwardUrl } from "@/core/routing/onward";
import type { HostDirectory } from "@/platform/hosts/hosts";
import { refuse, sendOn } from "./answers";
import type { BrandOf } from "./branding";
import { isHuman, wantsJson } from "./person";
import { REFUSALS, type RefusalReason, type Refused } from "./refusals";
import { themeOf } from "./theme";
import type { UnservedCounter } from "./unserved";
import type { VisitCounts } from "./visit-counts";

/** Nobody's look is to vouch for an unsafe link; what is not listed comes plain. */
const OF_LINK = new Set<RefusalReason>([
  ...(["expired", "max_clicks_reached", "password_required", "password_incorrect"] as const),
  ...(["attempts", "form_too_large", "method"] as const),
]);

type Answer = Response | Promise<Response>;

export interface BrandedRefusals {
  /** Of a link there is. */
  ofLink(link: CompiledLink, request: Request, refused: Refused): Answer;
  /** Of an address where there is none; `path` begins with a slash. */
  atAddress(host: string, path: string, request: Request, refused: Refused): Answer;
}

export interface BrandedRefusalsOptions {
  brandOf: BrandOf;
  hosts: HostDirectory;
  counts: VisitCounts;
  unserved: UnservedCounter;
}

export function createBrandedRefusals({ brandOf, hosts, counts, unserved }: BrandedRefusalsOptions): BrandedRefusals {
  return {
    ofLink(link, request, refused) {
      const { orgId, shortUrl } = link.definition;
      unserved.ofLink(link, refused.reason, !isHuman(request));
      const onward = onwardUrl(REFUSALS[refused.reason].status, link.definition);
      const sent = onward === null ? undefined : sendOn(request, onward);
      if (sent) {
        counts.refusals[refused.reason] += 1;
        return sent;
      }
      if (isUntold(refused)) return atHost(new URL(shortUrl).host, request, refused);
      return OF_LINK.has(refused.reason) ? inLookOf(orgId, request, refused) : inLookOf(undefined, request, refused);
    },
    atAddress(host, path, request, refused) {
      unserved.atAddress(host, path, refused.reason, refused.reason === "probing" || !isHuman(request));
      return atHost(host, request, refused);
    },
  };

  function atHost(host: string, request: Request, refused: Refused): Answer {
    return inLookOf(isUntold(refused) ? hosts.of(host)?.orgId : undefined, request, refused);
  }

  function inLookOf(orgId: string | undefined, request: Request, { reason, retryAfterSeconds }: Refused): Answer {
    counts.refusals[reason] += 1;
    if (orgId === undefined || wantsJson(request.headers)) return refuse(request, reason, { retryAfterSeconds });
    return brandOf(orgId).then((brand) =>
      refuse(request, reason, { retryAfterSeconds, theme: themeOf(request, brand) }),
    );
  }
}

const isUntold = ({ reason }: Refused): boolean => REFUSALS[reason].status === 404;
