/**
 * Refusals in the look of the organization that a visitor has to do with: the link's, or, where no link is told of, the
 * one whose domain it is. So an address without a link looks like that of a link which does not serve. Where the link
 * or the domain says where such visitors go, they are sent there instead.
 */
import type { CompiledLink } from "@/core/routing/compiled-link";
import type { HostDirectory } from "@/platform/hosts/hosts";
import { refuse } from "./answers";
import type { BrandOf } from "./branding";
import type { OnwardAnswers } from "./onward";
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
  onward: OnwardAnswers;
}

export function createBrandedRefusals(options: BrandedRefusalsOptions): BrandedRefusals {
  const { brandOf, hosts, counts, unserved, onward } = options;
  return {
    ofLink(link, request, refused) {
      const { orgId, shortUrl } = link.definition;
      unserved.ofLink(link, refused.reason, !isHuman(request));
      const sent = onward.ofLink(link, request, statusOf(refused));
      if (sent) return counted(refused, sent);
      if (isUntold(refused)) return atHost(new URL(shortUrl).host, request, refused);
      return OF_LINK.has(refused.reason) ? inLookOf(orgId, request, refused) : inLookOf(undefined, request, refused);
    },
    atAddress(host, path, request, refused) {
      unserved.atAddress(host, path, refused.reason, refused.reason === "probing" || !isHuman(request));
      const sent = onward.atAddress(host, request, statusOf(refused));
      return sent ? counted(refused, sent) : atHost(host, request, refused);
    },
  };

  function counted({ reason }: Refused, answer: Response): Response {
    counts.refusals[reason] += 1;
    return answer;
  }

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

const statusOf = ({ reason }: Refused): number => REFUSALS[reason].status;
const isUntold = (refused: Refused): boolean => statusOf(refused) === 404;
