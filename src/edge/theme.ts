/**
 * What a page's appearance depends on: the visitor's language, the organization's branding, the nonce of its style
 * and script.
 */
import type { Language } from "@/core/pages/page-languages";
import { pageLanguageOf } from "@/pages/languages";
import type { Brand } from "./branding";
import { formActionOf } from "./hit";
import { type Words, wordsIn } from "./pages/words";

export interface PageTheme {
  language: Language;
  words: Words;
  /** Null for a page without branding. */
  brand: Brand | null;
  /** The page's host as in its address; null if it does not matter. */
  host: string | null;
  /** Whether the page is on one of the service's own hosts; without a brand it then carries the service's name. */
  isOurs: boolean;
  /** Whether that is the host whose links come from all organizations. */
  isShared: boolean;
  /** Whether visitors get to a page from the host's root. */
  hasHome: boolean;
  nonce: string;
  /** Where the page's form is posted; undefined for the page's own URL. */
  formAction: string | undefined;
}

/** What is known of the page's host; nothing by default. */
export type PagePlace = Partial<Pick<PageTheme, "host" | "isOurs" | "isShared" | "hasHome">>;

export function themeOf(
  request: Request,
  brand: Brand | null,
  { host = null, isOurs = false, isShared = false, hasHome = false }: PagePlace = {},
): PageTheme {
  const language = pageLanguageOf(request.headers.get("accept-language") ?? "");
  const nonce = crypto.getRandomValues(new Uint8Array(16)).toBase64();
  const words = wordsIn(language);
  return { language, words, brand, host, isOurs, isShared, hasHome, nonce, formAction: formActionOf(request) };
}
