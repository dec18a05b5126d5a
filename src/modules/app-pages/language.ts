/** Stores the language that a person chooses in the dashboard, which then reloads its page. */
import { LANGUAGES } from "@/core/pages/page-languages";
import { invalid } from "@/http/errors";
import { keepLanguage, knownLanguage } from "./language-cookie";
import type { Pages } from "./pages";

export interface LanguageParts {
  pages: Pages;
  config: { baseUrl: string };
}

export const createLanguageChoice = ({ pages, config }: LanguageParts) =>
  pages.handleForm({
    sentences: () => ({ fields: {} }),
    async respond(_, values) {
      const language = knownLanguage(values.language);
      if (!language) throw invalid([`language: expected one of ${LANGUAGES.join(", ")}`]);
      const cookie = keepLanguage(language, config.baseUrl.startsWith("https:"));
      return new Response(null, { status: 204, headers: { "set-cookie": cookie, "cache-control": "no-store" } });
    },
    again: async (_, __, error) => Promise.reject(error),
  });
