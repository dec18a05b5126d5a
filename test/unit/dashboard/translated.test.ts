/** The API's sentences in the languages of the dashboard. */
import { describe, expect, test } from "bun:test";
import { wordsIn } from "@test/support/dashboard/words";
import { Glob } from "bun";
import { LANGUAGES } from "@/core/pages/page-languages";
import { translated } from "@/dashboard/api/translated";
import { enFaults } from "@/dashboard/words/en/faults";

type Sentence = string | ((...parts: string[]) => string);

const english = Object.entries<Sentence>(enFaults);
const PARTS = ["7", "42"];
const written = (sentence: Sentence): string => (typeof sentence === "string" ? sentence : sentence(...PARTS));

const faultsIn = async (language: string) => (await wordsIn(language)).faults;

describe.each(LANGUAGES)("in %s", (language) => {
  test("each sentence is said in that language, also behind the name of its field", async () => {
    const faults = await faultsIn(language);
    const spoken = new Map(Object.entries<Sentence>(faults));
    for (const [key, sentence] of english) {
      const error = written(sentence);
      const said = written(spoken.get(key) ?? "missing");
      expect(translated({ error, details: [`rules[1].${key}: ${error}`] }, faults)).toEqual({
        error: said,
        details: [`rules[1].${key}: ${said}`],
      });
    }
  });

  test("a sentence that is not listed stays as it is", async () => {
    const error = "required by nobody, expected at most once";
    const details = [error, `slug: ${error}`, "slug", ""];
    expect(translated({ error, details }, await faultsIn(language))).toEqual({ error, details });
    expect(translated({ error }, await faultsIn(language))).toEqual({ error });
  });
});

/** Characters of a template besides what is inserted; a shorter one could be anything. */
const LITERAL_MIN = 5;
const FIELD = /^(?:[\w.[\]]|\$\{[^{}]*\})+: /;

test("each listed sentence is one that the API writes", async () => {
  const templates: RegExp[] = [];
  for (const path of new Glob("src/{contract,core,http,modules}/**/*.ts").scanSync()) {
    const source = (await Bun.file(path).text()).replaceAll(/["`]\s*\+\s*["`]/g, "");
    for (const quoted of [/"((?:[^"\\\n]|\\.)*)"/g, /`([^`\n]*)`/g])
      for (const [, template = ""] of source.matchAll(quoted)) {
        const literals = template.replace(FIELD, "").split(/\$\{[^{}]*\}/);
        if (literals.join("").length >= LITERAL_MIN)
          templates.push(new RegExp(`^${literals.map((text) => RegExp.escape(text)).join(".+")}$`));
      }
  }
  const unknown = english.filter(([, sentence]) => !templates.some((template) => template.test(written(sentence))));
  expect(unknown.map(([key]) => key)).toEqual([]);
});
