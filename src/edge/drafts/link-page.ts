/**
 * Renders the pages of an unsaved link with the same renderers that visitors get: its form, its call to action, and
 * its card, drawn as unfurlers would show it.
 *
 * The page shows the real destination, but its links lead nowhere: even a frame without scripts can follow a link.
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
import { type DrawnPage, draftTheme, SAME_PAGE_URL } from "./drawn";

export type LinkPagePart = "lead" | "cta" | "social";

/** Resolves to null for the card of a link without social settings: unfurlers are redirected to its destination. */
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

const onward = { url: SAME_PAGE_URL, copied: null };

const leadingNowhere = ({ buttonUrl, ...cta }: CtaOverlay): CtaOverlay =>
  buttonUrl ? { ...cta, buttonUrl: SAME_PAGE_URL } : cta;

function drawCard(request: Request, link: LinkDefinition): DrawnPage | null {
  const card = socialCardOf(link);
  if (card === null) return null;
  const theme = themeOf(request, null);
  const sourceUrl = link.social?.imageUrl;
  // The URL in the card itself is on the link's own host.
  const imageUrl = sourceUrl ? pageImagePath("preview", link.id, sourceUrl) : undefined;
  return { html: sharedCardPage(theme, { ...card, imageUrl }), nonce: theme.nonce };
}
