/** Renders an unsaved bio page as visitors would see it: with the same renderer and the organization's branding. */
import type { BioItem } from "@/contract/links/bio-pages";
import { itemImagePath, pageImagePath } from "@/platform/images/page-image";
import type { LoadBrand } from "../branding";
import { bioPage, type ShownPage } from "../pages/bio";
import { type DrawnPage, draftTheme, SAME_PAGE_URL } from "./drawn";

export interface DraftBioPage extends Pick<ShownPage, "title" | "bioTheme"> {
  /** The saved page, whose images are used: new ones are not stored yet. */
  id: string;
  bio: string;
  items: readonly Pick<BioItem, "title" | "icon" | "display" | "imageUrl">[];
}

export const bioPageDrawer =
  (load: LoadBrand) =>
  async (request: Request, orgId: string, { id, bio, items, ...page }: DraftBioPage): Promise<DrawnPage> => {
    const theme = await draftTheme(load, request, orgId);
    const { avatarUrl, coverUrl } = page.bioTheme;
    const html = bioPage(theme, {
      ...{ ...page, url: SAME_PAGE_URL, bio: bio || null },
      avatarUrl: avatarUrl ? pageImagePath("avatar", id, avatarUrl) : null,
      coverUrl: coverUrl ? pageImagePath("cover", id, coverUrl) : null,
      items: items.map((item) => ({
        ...item,
        href: item.display === "heading" ? null : SAME_PAGE_URL,
        imageUrl: itemImagePath(id, item),
      })),
    });
    return { html, nonce: theme.nonce };
  };
