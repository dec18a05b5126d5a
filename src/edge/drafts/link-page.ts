/**
 * What a link that is not saved shows, drawn by the very renderers: its form and its call to action as visitors would get
 * them, and its card as what unfurlers get would look.
 *
 * Where a page leads is kept apart from what it says of the destination, so that it leads nowhere: a frame without script may
 * still follow a link within itself.
 */
import type { CtaOverlay } from "@/contract/links/link-pages";
import type { LinkDefinition } from "@/core/routing/link";
import { pageImagePath } from "@/platform/images/page-image";
import type { LoadBrand } from "../branding";
import { destinationCardOf, stepsOf } from "../interstitials/shown-page";
import { ctaPage } from "../pages/cta";
import { leadPage } from "../pages/lead";
import { sharedCardPage } from "../pages/shared-card";
import { socialCardOf } from "../pages/social";
import { themeOf } from "../theme";
import { type DrawnPage, draftTheme, NOWHERE } from "./drawn";

export type LinkPagePart = "lead" | "cta" | "social";

/** Null for a card of a link that says nothing of how it looks: unfurlers are led to its destination. */
export const linkPageDrawer =
  (load: LoadBrand) =>
  async (request: Request, link: LinkDefinition, part: LinkPagePart): Promise<DrawnPage | null> => {
    if (part === "social") return drawCard(request, link);
    const theme = await draftTheme(load, request, link.orgId);
    const steps = stepsOf({ definition: link });
    const html =
      part === "lead"
        ? leadPage(theme, { form: steps?.lead ?? {}, title: link.title, visitToken: "", tags: [] })
        : ctaPage(
            theme,
            { cta: leadingNowhere(steps?.cta ?? {}), onward, card: destinationCardOf(link, link.defaultUrl) },
            [],
          );
    return { html, nonce: theme.nonce };
  };

const onward = { url: NOWHERE, copied: null };

const leadingNowhere = ({ buttonUrl, ...cta }: CtaOverlay): CtaOverlay =>
  buttonUrl ? { ...cta, buttonUrl: NOWHERE } : cta;

function drawCard(request: Request, link: LinkDefinition): DrawnPage | null {
  const card = socialCardOf(link);
  if (card === null) return null;
  const theme = themeOf(request, null);
  const sourceUrl = link.social?.imageUrl;
  // The image of the card itself is on the link's own host.
  const imageUrl = sourceUrl ? pageImagePath("preview", link.id, sourceUrl) : undefined;
  return { html: sharedCardPage(theme, { ...card, imageUrl }), nonce: theme.nonce };
}
