/** The theme of unsaved pages: the organization's branding, and no link that leads anywhere. */
import type { LoadBrand } from "../branding";
import { type PageTheme, themeOf } from "../theme";

/** A rendered page, and the nonce of its style. */
export interface DrawnPage {
  html: string;
  nonce: string;
}

/** The target of links that stay on the page. */
export const SAME_PAGE_URL = "#";

/** Returns the theme that visitors would get. */
export async function draftTheme(load: LoadBrand, request: Request, orgId: string): Promise<PageTheme> {
  const brand = await load(orgId);
  return themeOf(request, brand && { ...brand, supportUrl: brand.supportUrl && SAME_PAGE_URL });
}
