/**
 * The pages that a visit may see before its destination. A page waits for the organization's branding, for a bounded
 * time; which page it is, is known immediately.
 */
import type { LeadCapture } from "@/contract/links/link-pages";
import type { LeadFault } from "@/core/pages/lead-form";
import { type PixelTag, tagOf } from "@/core/pages/pixels";
import { carriesSecret } from "@/core/query";
import { finalDestination } from "@/core/routing/compiled-link";
import { answerPage, type PageAnswer } from "../answers";
import type { AppBrandingOf } from "../app-branding";
import type { BrandOf } from "../branding";
import type { TokenOf } from "../match-token";
import type { ContinueTarget } from "../pages/continue-link";
import { leadPage } from "../pages/lead";
import { isBot, isHuman, isNavigation, refusesTracking } from "../person";
import { themeOf } from "../theme";
import type { ContinuedVisits } from "./continued-visits";
import { routeKey } from "./kept-route";
import type { RoutedVisit } from "./routed-visit";
import { isHandedToAppStore, offerOf, shownPage, stepsOf } from "./shown-page";
import { type InterstitialStep, nextStep } from "./steps";
import type { VisitTokens } from "./visit-token";

/** What a form is shown again with: status, headers, the values entered, and what was wrong. */
export interface FormFeedback {
  status?: number;
  headers?: Record<string, string>;
  values?: URLSearchParams;
  faults?: readonly LeadFault[];
  alert?: "check" | "again" | "tooMany" | "unavailable";
}

export interface Interstitials {
  /** Returns the first page of a visit; undefined if it is redirected immediately. */
  arrive(visit: RoutedVisit, typed?: URLSearchParams): Promise<Response> | undefined;
  /** Returns the page after the form; undefined if the visit is redirected immediately. */
  proceed(visit: RoutedVisit): Promise<Response> | undefined;
  showFormAgain(visit: RoutedVisit, form: LeadCapture, said: FormFeedback): Promise<Response>;
  destinationOf(visit: RoutedVisit): string;
}

export interface InterstitialOptions {
  brandOf: BrandOf;
  faceOf: AppBrandingOf;
  visitTokens: VisitTokens;
  continuedVisits: Pick<ContinuedVisits, "parameterOf">;
  tokenOf: TokenOf;
}

export function createInterstitials(options: InterstitialOptions): Interstitials {
  const { brandOf, faceOf, visitTokens, continuedVisits, tokenOf } = options;
  return {
    arrive(visit, typed) {
      const tags = tagsOf(visit);
      const step = stepOf(visit, { hasAnswered: false, tags });
      if (step === "lead") return askFirst(visit, tags, typed);
      return step === null ? undefined : show(visit, step, tags);
    },
    proceed(visit) {
      const step = stepOf(visit, { hasAnswered: true, tags: [] });
      return step === null || step === "lead" ? undefined : show(visit, step, []);
    },
    showFormAgain: (visit, form, said) => ask(visit, form, [], said),
    destinationOf: (visit) => onwardOf(visit).url,
  };

  /**
   * Shows the form. A form that was sent without a visit token, or with an expired one, is shown again with the
   * values entered.
   */
  async function askFirst(visit: RoutedVisit, tags: PixelTag[], typed: URLSearchParams | undefined): Promise<Response> {
    const form = stepsOf(visit.link)?.lead ?? {};
    return ask(visit, form, tags, typed ? { values: typed, alert: "again" } : {});
  }

  async function ask(visit: RoutedVisit, form: LeadCapture, tags: PixelTag[], said: FormFeedback): Promise<Response> {
    const { link, request } = visit;
    const { orgId, title } = link.definition;
    const { status, headers, values, faults, alert } = said;
    const theme = themeOf(request, await brandOf(orgId));
    const visitToken = visitTokenOf(visit);
    const facts = { form, title, visitToken, values, faults, tags, alert: alert && theme.words.lead[alert] };
    return answerPage(request, { status, headers, theme, hosts: hostsOf(tags), html: leadPage(theme, facts) });
  }

  /**
   * Returns null for bots, and an empty token for visits that took no place of `maxClicks`: a form sent without a
   * valid token takes one.
   */
  function visitTokenOf({ link, route, request, clickId, at, visitorKey }: RoutedVisit): string | null {
    if (isBot(request.headers)) return null;
    if (link.definition.gate.maxClicks !== null && !isHuman(request)) return "";
    return visitTokens.make(link.definition, { clickId, visitorKey: visitorKey(), at, route: routeKey(link, route) });
  }

  async function show(
    visit: RoutedVisit,
    step: Exclude<InterstitialStep, "lead">,
    tags: PixelTag[],
  ): Promise<Response> {
    const { link, request, clickId } = visit;
    const { orgId, app } = link.definition;
    const leadsToApp = step === "in_app" || step === "hand_off";
    const [brand, face] = await Promise.all([brandOf(orgId), leadsToApp ? faceOf(orgId, app) : null]);
    const theme = themeOf(request, brand);
    // A form may have taken longer than the token is valid. After one, it is only for the app, which needs no time.
    const visitToken = () =>
      continuedVisits.parameterOf(link.definition, { clickId, visitorKey: visit.visitorKey(), at: visit.answeredAt });
    const html = shownPage(step, theme, { visit, onward: onwardOf(visit), face, visitToken, tags });
    return answerPage(request, { theme, hosts: hostsOf(tags), html });
  }

  function onwardOf(visit: RoutedVisit): ContinueTarget {
    const { link, route, query, clickId } = visit;
    const matchToken = tokenOf(visit);
    const url = finalDestination(link, route, { query, clickId, matchToken });
    const isCopied = matchToken !== undefined && isHandedToAppStore(visit);
    return { url, copied: isCopied ? `${link.definition.shortUrl}?match_token=${matchToken}` : null };
  }
}

function stepOf(
  visit: RoutedVisit,
  { hasAnswered, tags }: { hasAnswered: boolean; tags: PixelTag[] },
): InterstitialStep | null {
  const browses = isNavigation(visit.request);
  return nextStep({
    page: stepsOf(visit.link),
    hasAnswered,
    isNavigation: browses,
    offersApp: browses && offerOf(visit, "", null) !== null,
    handsOff: browses && isHandedToAppStore(visit),
    firesPixels: tags.length > 0,
  });
}

/**
 * Returns the pixels for browsers of people who have not objected. A script can read the page's URL, so there are
 * none while it contains a password or a token.
 */
function tagsOf({ link, request, query }: RoutedVisit): PixelTag[] {
  const pixels = stepsOf(link)?.pixels ?? [];
  if (pixels.length === 0 || refusesTracking(request.headers) || !isNavigation(request)) return [];
  return carriesSecret(query) ? [] : pixels.flatMap((pixel) => tagOf(pixel) ?? []);
}

/** Allows images from all of the tags' hosts, and scripts only from those of tags with a script. */
const hostsOf = (tags: readonly PixelTag[]): PageAnswer["hosts"] => ({
  images: originsOf(tags),
  scripts: originsOf(tags.filter(({ script }) => script !== null)),
});

const originsOf = (tags: readonly PixelTag[]): string[] => [...new Set(tags.flatMap(({ hosts }) => hosts))];
