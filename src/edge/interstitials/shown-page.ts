/**
 * Renders each page with the facts of the visit: where its links lead, and what is known of the app and the
 * destination.
 */
import type { PixelTag } from "@/core/pages/pixels";
import { CONTINUED_REFERRER_PARAMETER, type Pair, pair } from "@/core/query";
import { type CompiledLink, finalDestination } from "@/core/routing/compiled-link";
import { checkGate } from "@/core/routing/gate";
import { type AppOffer, appOfferOf, inAppBrowserOf } from "@/core/routing/in-app";
import type { LinkDefinition, StepsPage } from "@/core/routing/link";
import { isStoreOf } from "@/core/routing/store";
import { pageImagePath } from "@/platform/images/page-image";
import { parseUserAgent } from "@/platform/user-agent";
import type { AppBranding } from "../app-branding";
import type { AwaitedContent } from "../pages/app-head";
import type { ContinueTarget } from "../pages/continue-link";
import { ctaPage, type DestinationCard } from "../pages/cta";
import { handOffPage } from "../pages/hand-off";
import { inAppPage } from "../pages/in-app";
import { pixelPage } from "../pages/pixels";
import type { PageTheme } from "../theme";
import type { RoutedVisit } from "./routed-visit";
import type { InterstitialStep } from "./steps";

interface PageFacts {
  visit: RoutedVisit;
  onward: ContinueTarget;
  /** The name and icon of the link's app. */
  face: AppBranding | null;
  visitToken(): Pair;
  tags: PixelTag[];
}

export function shownPage(
  step: Exclude<InterstitialStep, "lead">,
  theme: PageTheme,
  { visit, onward, face, visitToken, tags }: PageFacts,
): string {
  const awaited = awaitedOf(visit.link.definition);
  switch (step) {
    case "cta":
      return ctaPage(
        theme,
        {
          cta: stepsOf(visit.link)?.cta ?? {},
          onward,
          card: destinationCardOf(visit.link.definition, onward.url),
        },
        tags,
      );
    case "in_app":
      return inAppPage(theme, { face, awaited, ...inAppFacts(visit, onward, visitToken()) }, tags);
    case "hand_off":
      return handOffPage(theme, { face: isOwnStore(visit) ? face : null, awaited, onward, web: webOf(visit) }, tags);
    case "pixels":
      return pixelPage(theme, onward, tags);
    default:
      return step satisfies never;
  }
}

export const stepsOf = ({ definition: { page } }: Pick<CompiledLink, "definition">): StepsPage | null =>
  page?.kind === "steps" ? page : null;

export const isHandedToAppStore = ({ route, userAgent }: RoutedVisit): boolean =>
  route.store === "app_store" && parseUserAgent(userAgent).platform === "ios";

/** False if a rule leads to another app's store page than the link's own. */
const isOwnStore = ({ link, route }: RoutedVisit): boolean => isStoreOf(route.url, link.definition.app);

/** `url` is the destination of the visit. */
export const destinationCardOf = (link: LinkDefinition, url: string): DestinationCard => ({
  url,
  title: (link.social?.title ?? link.title)?.trim() || null,
  imageUrl: socialImageOf(link),
});

/** A link's `title` is for its owner's lists, so that alone is not shown to people on their way to the app. */
function awaitedOf(link: LinkDefinition): AwaitedContent | null {
  const shown = { title: link.social?.title?.trim() || null, imageUrl: socialImageOf(link) };
  return shown.title === null && shown.imageUrl === null ? null : shown;
}

const socialImageOf = ({ id, social }: LinkDefinition): string | null =>
  social?.imageUrl ? pageImagePath("preview", id, social.imageUrl) : null;

/** Returns null if the web destination is a store as well. */
function webOf({ link, query, clickId }: RoutedVisit): ContinueTarget | null {
  const { webRoute } = link;
  return webRoute.isStore ? null : { url: finalDestination(link, webRoute, { query, clickId }), copied: null };
}

/**
 * Returns what opens the link's app from within another app's browser; null elsewhere, for links without such an app,
 * and for one that ended while the visitor filled in its form: the app could not resolve it.
 */
export function offerOf(
  { link, userAgent, query, referrer: page, answeredAt }: RoutedVisit,
  fallbackUrl: string,
  visitToken: Pair | null,
): AppOffer | null {
  const { app, shortUrl, gate } = link.definition;
  const browser = app && inAppBrowserOf(userAgent);
  if (!browser || checkGate(gate, { now: answeredAt }).does === "refuse") return null;
  const { platform } = parseUserAgent(userAgent);
  const hasPlaces = gate.maxClicks !== null;
  const referrer = page === "" ? null : pair(CONTINUED_REFERRER_PARAMETER, page);
  const offer = appOfferOf({ app, platform, browser, shortUrl, query, visitToken, referrer, hasPlaces, fallbackUrl });
  return offer?.to === "browser" && !bearsSecondVisit(link) ? null : offer;
}

/**
 * True if the visitor can open the link again in another browser without harm: that visit must not take a second
 * place of `maxClicks`, nor ask for the form again. The visit token is in a URL, which gets shared, and shows only
 * that the visit is counted.
 */
const bearsSecondVisit = (link: CompiledLink): boolean =>
  link.definition.gate.maxClicks === null && !stepsOf(link)?.lead;

function inAppFacts(visit: RoutedVisit, onward: ContinueTarget, visitToken: Pair) {
  const { link, route, query, clickId } = visit;
  const web = route.isStore ? finalDestination(link, link.webRoute, { query, clickId }) : onward.url;
  return {
    offer: offerOf(visit, onward.url, visitToken) ?? { to: "app" as const, url: web, opensWindow: false },
    store: isHandedToAppStore(visit) ? onward : null,
    web: { url: web, copied: null },
  };
}
