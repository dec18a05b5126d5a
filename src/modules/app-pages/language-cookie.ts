/**
 * The language that a person chose in the dashboard. A cookie keeps it in the browser, so that the pages before the
 * sign-in use it too. The server sets the cookie, because some browsers keep cookies set by scripts for only a week.
 */
import { LANGUAGES, type Language } from "@/core/pages/page-languages";
import { APP_PATH } from "@/http/app-path";
import { cookiesNamed } from "@/http/session-cookie";

const NAME = "waymark-language";
const LIFE_SECONDS = 365 * 24 * 3600;

export const knownLanguage = (text: string | undefined): Language | undefined =>
  LANGUAGES.find((language) => language === text);

/** Returns the chosen language; undefined if none was chosen. */
export const chosenLanguage = ({ headers }: Request): Language | undefined =>
  knownLanguage(cookiesNamed(NAME, headers.get("cookie") ?? "")[0]);

/** Returns the `Set-Cookie` that stores the choice. */
export const keepLanguage = (language: Language, isSecure: boolean): string =>
  `${NAME}=${language}; Path=${APP_PATH}; Max-Age=${LIFE_SECONDS}; SameSite=Lax${isSecure ? "; Secure" : ""}`;
