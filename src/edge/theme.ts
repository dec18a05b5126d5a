/** What a page is dressed in: the visitor's language, the organization's branding, the nonce of its style and script. */

import type { Language } from "@/core/page-languages";
import { pageLanguageOf } from "@/pages/languages";
import type { Brand } from "./branding";
import { formActionOf } from "./hit";
import { type Words, wordsIn } from "./pages/words";

export interface PageTheme {
  language: Language;
  words: Words;
  /** Null for a page that comes plain. */
  brand: Brand | null;
  /** Whether the page stands on a host of the service's own, and bears its name where it has no brand. */
  isOurs: boolean;
  /** Whether the host has a page at its root to go to. */
  hasHome: boolean;
  nonce: string;
  /** Where a form of the page goes; undefined for the page's own address. */
  formAction: string | undefined;
}

/** What is known of the host that the page stands on; nothing by default. */
export type PagePlace = Partial<Pick<PageTheme, "isOurs" | "hasHome">>;

export function themeOf(
  request: Request,
  brand: Brand | null,
  { isOurs = false, hasHome = false }: PagePlace = {},
): PageTheme {
  const language = pageLanguageOf(request.headers.get("accept-language") ?? "");
  const nonce = crypto.getRandomValues(new Uint8Array(16)).toBase64();
  return { language, words: wordsIn(language), brand, isOurs, hasHome, nonce, formAction: formActionOf(request) };
}
