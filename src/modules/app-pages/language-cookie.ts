/**
 * The language that a person chose in the dashboard. The browser keeps it in a cookie, so that the pages before the sign-in
 * speak it too. The server sets it: some browsers keep what a script sets for a week only.
 */
import { LANGUAGES, type Language } from "@/core/page-languages";
import { APP_PATH } from "@/http/app-path";
import { cookiesNamed } from "@/http/session-cookie";

const NAME = "waymark-language";
const LIFE_SECONDS = 365 * 24 * 3600;

export const knownLanguage = (text: string | undefined): Language | undefined =>
  LANGUAGES.find((language) => language === text);

/** Undefined where none was chosen. */
export const chosenLanguage = ({ headers }: Request): Language | undefined =>
  knownLanguage(cookiesNamed(NAME, headers.get("cookie") ?? "")[0]);

/** The `Set-Cookie` that keeps it. */
export const keepLanguage = (language: Language, isSecure: boolean): string =>
  `${NAME}=${language}; Path=${APP_PATH}; Max-Age=${LIFE_SECONDS}; SameSite=Lax${isSecure ? "; Secure" : ""}`;
