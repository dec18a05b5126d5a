/** What pages that are not saved yet are drawn in: the organization's branding, and nothing on them that leads anywhere. */
import type { LoadBrand } from "../branding";
import { type PageTheme, themeOf } from "../theme";

/** The page, and the nonce of its style. */
export interface DrawnPage {
  html: string;
  nonce: string;
}

/** A link that stays on the page, whatever is pressed. */
export const NOWHERE = "#";

/** As visitors get it. */
export async function draftTheme(load: LoadBrand, request: Request, orgId: string): Promise<PageTheme> {
  const brand = await load(orgId);
  return themeOf(request, brand && { ...brand, supportUrl: brand.supportUrl && NOWHERE });
}
