/** What a page is shown in: the visitor's language, and the nonce of its style. */
import { type Language, languageOf } from "@/pages/languages";
import { type Words, wordsIn } from "./words";

export interface Look {
  language: Language;
  words: Words;
  nonce: string;
}

export function lookOf(request: Request): Look {
  const language = languageOf(request.headers.get("accept-language") ?? "");
  const nonce = crypto.getRandomValues(new Uint8Array(16)).toBase64();
  return { language, words: wordsIn(language), nonce };
}
