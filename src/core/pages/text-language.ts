/** The language that people wrote a text in, as far as its smallest words tell. */
import { LANGUAGES, type Language } from "./page-languages";

/** Words that texts of a few sentences have most of. Some belong to several languages, which others then tell apart. */
const SMALL_WORDS: Record<Language, string> = {
  en: "the and of to for with our your you are is we from on at this that it us my by all more",
  de: "der die das und mit für unser unsere euch ist wir von auf im zum zur den dem ein eine nicht ich mein mehr",
  fr: "le la les des et avec pour nos notre vous est nous du au aux une sur dans ce cette qui je mon plus",
  es: "el la los las y con para nuestra nuestros tu es nosotros del al una en por que este esta mi más",
  pt: "o os as e com para nossa nossos você é nós do da dos das ao uma em no na por que este meu mais",
  it: "il lo gli le e con per nostra nostri tu è noi del della dei al una in da che questo mio più nei",
  nl: "de het en met voor ons onze jouw je is wij we van op aan in een dit dat ik mijn meer naar bij",
};

/** The languages that have each of them. */
const LANGUAGES_OF = Map.groupBy(
  LANGUAGES.flatMap((language) => SMALL_WORDS[language].split(" ").map((word) => ({ word, language }))),
  ({ word }) => word,
);

/** Characters that are looked at; enough to tell. */
const LENGTH_MAX = 500;
/** Fewer small words tell too little. */
const WORDS_MIN = 2;

/** Returns undefined for a text that does not tell, for example a few names. */
export function textLanguage(text: string): Language | undefined {
  const beginning = text.slice(0, LENGTH_MAX).toLowerCase();
  const counts = new Map<Language, number>();
  for (const [word] of beginning.matchAll(/\p{L}+/gu))
    for (const { language } of LANGUAGES_OF.get(word) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1);
  const [first, second] = [...counts].sort(([, one], [, other]) => other - one);
  if (!first || first[1] < WORDS_MIN || first[1] === second?.[1]) return undefined;
  return first[0];
}
