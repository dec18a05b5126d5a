/** What a page is shown in: the visitor's language, and the nonce of its style. */
import { type Language, pageLanguageOf } from "@/pages/languages";
import { type AccountWords, accountWordsIn } from "./words";

export interface AccountTheme {
  language: Language;
  words: AccountWords;
  nonce: string;
}

export function accountThemeOf(request: Request): AccountTheme {
  const language = pageLanguageOf(request.headers.get("accept-language") ?? "");
  const nonce = crypto.getRandomValues(new Uint8Array(16)).toBase64();
  return { language, words: accountWordsIn(language), nonce };
}
