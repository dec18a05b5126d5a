/** What a page is dressed in: the visitor's language, the organization's branding, the nonce of its style and script. */

import { type Language, pageLanguageOf } from "@/pages/languages";
import type { Brand } from "./branding";
import { formActionOf } from "./hit";
import { type Words, wordsIn } from "./pages/words";

export interface PageTheme {
  language: Language;
  words: Words;
  /** Null for a page that comes plain. */
  brand: Brand | null;
  nonce: string;
  /** Where a form of the page goes; undefined for the page's own address. */
  formAction: string | undefined;
}

export function themeOf(request: Request, brand: Brand | null): PageTheme {
  const language = pageLanguageOf(request.headers.get("accept-language") ?? "");
  const nonce = crypto.getRandomValues(new Uint8Array(16)).toBase64();
  return { language, words: wordsIn(language), brand, nonce, formAction: formActionOf(request) };
}
