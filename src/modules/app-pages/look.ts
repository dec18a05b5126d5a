/** What a page is shown in: the language that the visitor chose or reads, and the nonce of its style. */
import type { Language } from "@/core/page-languages";
import { pageLanguageOf } from "@/pages/languages";
import { chosenLanguage } from "./language-cookie";
import { type AccountWords, accountWordsIn } from "./words";

export interface AccountTheme {
  language: Language;
  words: AccountWords;
  nonce: string;
}

export function accountThemeOf(request: Request): AccountTheme {
  const language = chosenLanguage(request) ?? pageLanguageOf(request.headers.get("accept-language") ?? "");
  const nonce = crypto.getRandomValues(new Uint8Array(16)).toBase64();
  return { language, words: accountWordsIn(language), nonce };
}
