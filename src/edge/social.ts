/** The page that unfurlers are shown in place of a link's destination, where the link says how it looks when it is shared. */
import { finalDestination } from "@/core/routing/compiled-link";
import { unfurlerOf } from "@/core/unfurlers";
import { answerPage } from "./answers";
import type { RoutedVisit } from "./interstitials/routed-visit";
import { socialCardOf, socialPage } from "./pages/social";
import { themeOf } from "./theme";

/** Undefined for everyone else, and for links that say nothing. */
export function socialAnswer({ link, route, request, query, userAgent, clickId }: RoutedVisit): Response | undefined {
  const card = socialCardOf(link.definition);
  if (card === null || unfurlerOf(userAgent) === null) return undefined;
  const theme = themeOf(request, null);
  return answerPage(request, {
    theme,
    html: socialPage(theme, card, finalDestination(link, route, { query, clickId })),
  });
}
