/** The page that unfurlers get instead of a link's destination, if the link defines how it looks when it is shared. */

import { unfurlerOf } from "@/core/headers/unfurlers";
import { finalDestination } from "@/core/routing/compiled-link";
import { answerPage } from "./answers";
import type { RoutedVisit } from "./interstitials/routed-visit";
import { stepsOf } from "./interstitials/shown-page";
import { socialCardOf, socialPage } from "./pages/social";
import { themeOf } from "./theme";

/** Returns undefined for other clients, and for links without social settings. */
export function socialAnswer({ link, route, request, query, userAgent, clickId }: RoutedVisit): Response | undefined {
  const card = socialCardOf(link.definition);
  if (card === null || unfurlerOf(userAgent) === null) return undefined;
  const theme = themeOf(request, null);
  // A form comes before everyone's destination, so the page must not reveal it.
  const onward = stepsOf(link)?.lead ? card.url : finalDestination(link, route, { query, clickId });
  return answerPage(request, { theme, html: socialPage(theme, card, onward) });
}
