/**
 * The pages a visit may see before the destination. A page waits for the organization's branding, which is bounded; which
 * page it is, is known at once.
 */
import type { LeadCapture } from "@/contract/links/link-pages";
import type { LeadFault } from "@/core/lead-form";
import { type PixelTag, tagOf } from "@/core/pixels";
import { type Pair, withoutOwn } from "@/core/query";
import { type CompiledLink, finalDestination, type Route } from "@/core/routing/compiled-link";
import { type AppOffer, appOfferOf, inAppBrowserOf } from "@/core/routing/in-app";
import type { StepsPage } from "@/core/routing/link";
import { parseUserAgent } from "@/platform/user-agent";
import { answerPage, type PageAnswer } from "../answers";
import type { BrandOf } from "../branding";
import type { TokenOf } from "../match-token";
import { ctaPage } from "../pages/cta";
import type { Onward } from "../pages/go-on";
import { handOffPage } from "../pages/hand-off";
import { inAppPage } from "../pages/in-app";
import { leadPage } from "../pages/lead";
import { pixelPage } from "../pages/pixels";
import { isBot, isHuman, isNavigation, refusesTracking } from "../person";
import { type PageTheme, themeOf } from "../theme";
import type { ContinuedVisits } from "./continued-visits";
import { type InterstitialStep, nextStep } from "./steps";
import type { VisitTokens } from "./visit-token";

/** A visit that was let in and routed. */
export interface RoutedVisit {
  link: CompiledLink;
  route: Route;
  request: Request;
  /** As it came, without the `?`. */
  query: string;
  userAgent: string;
  clickId: string;
  /** When the visit was, Unix milliseconds. */
  at: number;
  visitorKey(): string;
}

/** What a form is shown again with. */
export interface FormSaid {
  status?: number;
  headers?: Record<string, string>;
  values?: URLSearchParams;
  faults?: readonly LeadFault[];
  alert?: "check" | "again" | "tooMany" | "unavailable";
}

export interface Interstitials {
  /** The first page of a visit; undefined when it leads on at once. */
  arrive(visit: RoutedVisit, typed?: URLSearchParams): Promise<Response> | undefined;
  /** The page after the form; undefined when the visit leads on at once. */
  proceed(visit: RoutedVisit): Promise<Response> | undefined;
  askAgain(visit: RoutedVisit, form: LeadCapture, said: FormSaid): Promise<Response>;
  destinationOf(visit: RoutedVisit): string;
}

export interface InterstitialOptions {
  brandOf: BrandOf;
  visitTokens: VisitTokens;
  continuedVisits: Pick<ContinuedVisits, "parameterOf">;
  tokenOf: TokenOf;
}

export function createInterstitials(options: InterstitialOptions): Interstitials {
  const { brandOf, visitTokens, continuedVisits, tokenOf } = options;
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
    askAgain: (visit, form, said) => ask(visit, form, [], said),
    destinationOf: (visit) => onwardOf(visit).url,
  };

  /** A form that comes without a visit token, or with one that is too old, is shown anew with what was typed. */
  async function askFirst(visit: RoutedVisit, tags: PixelTag[], typed: URLSearchParams | undefined): Promise<Response> {
    const form = stepsOf(visit.link)?.lead ?? {};
    return ask(visit, form, tags, typed ? { values: typed, alert: "again" } : {});
  }

  async function ask(visit: RoutedVisit, form: LeadCapture, tags: PixelTag[], said: FormSaid): Promise<Response> {
    const { link, request } = visit;
    const { orgId, title } = link.definition;
    const { status, headers, values, faults, alert } = said;
    const theme = themeOf(request, await brandOf(orgId));
    const visitToken = visitTokenOf(visit);
    const facts = { form, title, visitToken, values, faults, tags, alert: alert && theme.words.lead[alert] };
    return answerPage(request, { status, headers, theme, hosts: hostsOf(tags), html: leadPage(theme, facts) });
  }

  /** This is null for bots, and empty for visitors who took no place yet: a form sent without a visit token takes one. */
  function visitTokenOf({ link, request, clickId, at, visitorKey }: RoutedVisit): string | null {
    if (isBot(request.headers)) return null;
    if (link.definition.gate.maxClicks !== null && !isHuman(request)) return "";
    return visitTokens.make(link.definition, { clickId, visitorKey: visitorKey(), at });
  }

  async function show(
    visit: RoutedVisit,
    step: Exclude<InterstitialStep, "lead">,
    tags: PixelTag[],
  ): Promise<Response> {
    const { link, request, clickId, at } = visit;
    const theme = themeOf(request, await brandOf(link.definition.orgId));
    const visitToken = () =>
      continuedVisits.parameterOf(link.definition, { clickId, visitorKey: visit.visitorKey(), at });
    const html = shownPage(step, theme, { visit, onward: onwardOf(visit), visitToken, tags });
    return answerPage(request, { theme, hosts: hostsOf(tags), html });
  }

  function onwardOf(visit: RoutedVisit): Onward {
    const { link, route, query, clickId } = visit;
    const matchToken = tokenOf(visit);
    const url = finalDestination(link, route, { query, clickId, matchToken });
    const isCopied = matchToken !== undefined && isHandedOff(visit);
    return { url, copied: isCopied ? `${link.definition.shortUrl}?match_token=${matchToken}` : null };
  }
}

interface PageFacts {
  visit: RoutedVisit;
  onward: Onward;
  visitToken(): Pair;
  tags: PixelTag[];
}

function shownPage(
  step: Exclude<InterstitialStep, "lead">,
  theme: PageTheme,
  { visit, onward, visitToken, tags }: PageFacts,
): string {
  switch (step) {
    case "cta":
      return ctaPage(theme, stepsOf(visit.link)?.cta ?? {}, onward, tags);
    case "in_app":
      return inAppPage(theme, inAppFacts(visit, onward, visitToken()), tags);
    case "hand_off":
      return handOffPage(theme, onward, tags);
    case "pixels":
      return pixelPage(theme, onward, tags);
    default:
      return step satisfies never;
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
    handsOff: browses && isHandedOff(visit),
    firesPixels: tags.length > 0,
  });
}

const stepsOf = ({ definition: { page } }: CompiledLink): StepsPage | null => (page?.kind === "steps" ? page : null);

/**
 * Of people's browsers alone, and of those alone who do not object. A script can read the page's address: not where a
 * password or a token stands in it.
 */
function tagsOf({ link, request, query }: RoutedVisit): PixelTag[] {
  const pixels = stepsOf(link)?.pixels ?? [];
  if (pixels.length === 0 || refusesTracking(request.headers) || !isNavigation(request)) return [];
  return withoutOwn(query) === query ? pixels.flatMap((pixel) => tagOf(pixel) ?? []) : [];
}

/** Images come from any of their hosts, scripts from those alone whose tag is one. */
const hostsOf = (tags: readonly PixelTag[]): PageAnswer["hosts"] => ({
  images: originsOf(tags),
  scripts: originsOf(tags.filter(({ script }) => script !== null)),
});

const originsOf = (tags: readonly PixelTag[]): string[] => [...new Set(tags.flatMap(({ hosts }) => hosts))];

const isHandedOff = ({ route, userAgent }: RoutedVisit): boolean =>
  route.store === "app_store" && parseUserAgent(userAgent).platform === "ios";

/** What opens the link's app from within another app's browser; null elsewhere, and for links without such an app. */
function offerOf(
  { link, userAgent, query }: RoutedVisit,
  fallbackUrl: string,
  visitToken: Pair | null,
): AppOffer | null {
  const { app, shortUrl } = link.definition;
  const browser = app && inAppBrowserOf(userAgent);
  if (!browser) return null;
  const { platform } = parseUserAgent(userAgent);
  const offer = appOfferOf({ app, platform, browser, shortUrl, query, visitToken, fallbackUrl });
  return offer?.to === "browser" && !bearsSecondVisit(link) ? null : offer;
}

/**
 * Whoever moves to another browser comes to the link again there. That must not take a second place of `maxClicks`, nor ask
 * for the form again: the visit's token is in an address, which gets about, and says no more than that the visit is counted.
 */
const bearsSecondVisit = (link: CompiledLink): boolean =>
  link.definition.gate.maxClicks === null && !stepsOf(link)?.lead;

function inAppFacts(visit: RoutedVisit, onward: Onward, visitToken: Pair) {
  const { link, route, query, clickId } = visit;
  const web = route.isStore ? finalDestination(link, link.webRoute(route), { query, clickId }) : onward.url;
  return {
    offer: offerOf(visit, onward.url, visitToken) ?? { to: "app" as const, url: web, opensWindow: false },
    store: isHandedOff(visit) ? onward : null,
    web: { url: web, copied: null },
  };
}
