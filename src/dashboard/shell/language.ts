/** The languages of the page, and how to switch between them. */
import { LANGUAGES, type Language } from "@/core/pages/page-languages";
import { toast } from "../ui/toasts";
import { words } from "../words";

/** Each language in its own words. */
const NAMES: Record<Language, string> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  pt: "Português",
  it: "Italiano",
  nl: "Nederlands",
};

export const languageChoices = () =>
  LANGUAGES.map((language) => ({
    language,
    name: NAMES[language],
    isChosen: document.documentElement.lang === language,
  }));

/** Saves the language on the server and reloads the page. */
export async function chooseLanguage(language: Language): Promise<void> {
  const answer = await fetch("/app/language", { method: "POST", body: new URLSearchParams({ language }) }).catch(
    () => undefined,
  );
  if (answer?.ok) location.reload();
  else toast({ text: answer ? words.ui.failed : words.ui.unreachable, isFailure: true });
}
