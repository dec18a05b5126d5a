/** A bio page that is not saved, drawn as visitors would get it: by the very renderer, in the organization's branding. */
import { pageImagePath } from "@/platform/images/page-image";
import type { LoadBrand } from "./branding";
import { bioPage, type ShownItem, type ShownPage } from "./pages/bio";
import { themeOf } from "./theme";

export interface DraftPage extends Pick<ShownPage, "title" | "bioTheme"> {
  /** Its images are the saved page's: others are not there yet. */
  id: string;
  bio: string;
  items: readonly Omit<ShownItem, "href">[];
}

/** The page, and the nonce of its style. */
export interface DrawnPage {
  html: string;
  nonce: string;
}

export type DrawDraftPage = (request: Request, orgId: string, draft: DraftPage) => Promise<DrawnPage>;

/** Leads nowhere, whatever is pressed. */
const NOWHERE = "#";

export const draftPageDrawer =
  (load: LoadBrand): DrawDraftPage =>
  async (request, orgId, { id, bio, items, ...page }) => {
    const theme = themeOf(request, await load(orgId));
    const { avatarUrl, coverUrl } = page.bioTheme;
    const html = bioPage(theme, {
      ...{ ...page, url: NOWHERE, bio: bio || null },
      avatarUrl: avatarUrl ? pageImagePath("avatar", id, avatarUrl) : null,
      coverUrl: coverUrl ? pageImagePath("cover", id, coverUrl) : null,
      items: items.map((item) => ({ ...item, href: NOWHERE })),
    });
    return { html, nonce: theme.nonce };
  };
