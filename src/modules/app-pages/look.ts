/**
 * What determines how a page looks: the language the visitor chose or reads, the brand of the dashboard it belongs
 * to, and the nonce of its style.
 */
import type { Language } from "@/core/pages/page-languages";
import type { Accented, Shade } from "@/core/pages/page-palette";
import type { NamedBrand } from "@/pages/brand-header";
import { pageLanguageOf } from "@/pages/languages";
import { chosenLanguage } from "./language-cookie";
import { type AccountWords, accountWordsIn } from "./words";

export interface DashboardBrand extends NamedBrand {
  /** Null for the service's own accent. */
  accent: Record<Shade, Accented> | null;
}

export interface AccountTheme {
  language: Language;
  words: AccountWords;
  nonce: string;
  /** The brand of the organization whose dashboard the host serves; null for the service's own look. */
  brand: DashboardBrand | null;
}

export function accountThemeOf(request: Request, brand: DashboardBrand | null): AccountTheme {
  const language = chosenLanguage(request) ?? pageLanguageOf(request.headers.get("accept-language") ?? "");
  const nonce = crypto.getRandomValues(new Uint8Array(16)).toBase64();
  return { language, words: accountWordsIn(language), nonce, brand };
}
