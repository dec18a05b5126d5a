/** Texts that people read in plain English: phrases that must not return to src, the long runs and Markdown. */
import { expect, test } from "bun:test";
import { Glob } from "bun";

/** Each phrase with what to write instead. */
const TURNS: readonly [turn: RegExp, better: string][] = [
  [/\bas (?:many|much|long|often) as (?:it|one|you|they) (?:may|can|like)\b/i, "its limit of 20; unlimited"],
  [/\basked for\b|\basked (?:of|too)\b/i, "requested; required"],
  [/\b(?:by|of) how (?:much|many)\b/i, "confidence; number of"],
  [/\b(?:others|nobody|somebody|robots)'s?(?! )/i, "name the owner"],
  [/\bwho(?:ever)? (?:has|asks|wants|runs|made|invited)\b[^,.;]* (?:is|are|may|gets) /i, "if someone …, they …"],
  [/\bof which\b|\bwherein\b|\bthereof\b|\bthereby\b|\bwhereupon\b/i, "a clause with its own verb"],
  [/\b(?:any|some|every)body\b/i, "anyone; someone; everyone"],
  [/\b(?:is|are|be|been) told\b|\btells? of\b|\btold of\b/i, "says; shows; reports; receives"],
  [/\b(?:tells?|told)\b[^.;:]{0,30}\bapart\b/i, "distinguish; list separately"],
  [/\bwhen absent\b|\bAbsent:|\babsent,/i, "defaults to; omitted"],
  [/\blook(?:ed|s) at\b|\blook into\b/i, "check"],
  [/\b(?:go|goes|going|went) on\b/i, "continue; keep …ing"],
  [/\b(?:is|are|was|were) (?:away|no more|gone)\b/i, "is unavailable; no longer exists"],
  [/\b(?:is|are) no (?:valid |plain )?(?:host|URL|JSON|address|object|text|email|dashboard|name|list)\b/i, "is not a"],
  [/\bmeanwhile\b|\banew\b|\bbesides\b|\bunbidden\b|\bshall\b|\blet in\b/i, "in the meantime; again; also"],
  [/\bformer (?:one|note|release)|\bthe former\b/i, "previous"],
  [/\bstands? (?:in|on|there|for itself|beside|above)\b|\bstood\b/i, "is; contains; uses"],
  [/\bas (?:it may|it stands|they are shown|they stand)\b/i, "unchanged; as is"],
  [/\bmust not hold\b|\bheld verified\b|\bholds? (?:no|nothing|this host)\b/i, "contains; has"],
  [/\ban? [a-z]+ of (?:your|its|their|my|our) own\b/i, "its own …"],
  [/\b(?:works|applies|effect|follows?|stops?|ends?|starts?|served) at once\b/i, "immediately"],
  [/\btoo many tries\b|\beach try\b|\bgravest\b|\bseldom\b|\bhenceforth\b/i, "attempts; worst; rarely"],
  [
    /(?<!-)\b(?:colour|honour|favour|behaviour|neutralis|normalis|organis|recognis|modelled|licence|centre)/i,
    "American",
  ],
  [/\d %(?![a-z(])/i, "5%"],
];

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/;
const REGEX = /(?<=[(,=:[!&|?{};>]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/;
const STRING = /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/;
const TOKEN = new RegExp([COMMENT, REGEX, STRING].map(({ source }) => source).join("|"), "g");

/**
 * Returns a program's strings of two words and more, concatenated where the program does so, without inserted values.
 */
function textsOf(program: string): string[] {
  const texts: string[] = [];
  let end = -1;
  for (const { 0: token, index } of program.matchAll(TOKEN)) {
    if (!/^["`]/.test(token)) continue;
    const text = token.slice(1, -1).replace(/\$\{[^{}]*\}/g, "…");
    const isJoined = end >= 0 && /^\s*\+\s*$/.test(program.slice(end, index));
    texts.push(isJoined ? `${texts.pop()}${text}` : text);
    end = index + token.length;
  }
  return texts.filter((text) => / /.test(text) && !SQL.test(text));
}

const SQL = /^\s*(?:select|insert|update|delete|with|create|alter|and|or|case|from|lock|copy|do)\b(?!:)/;

/** Returns Markdown without blocks of code. */
const prose = (markdown: string) => markdown.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`]*`/g, "…");

async function texts(): Promise<{ path: string; written: string[] }[]> {
  const all = await Array.fromAsync(new Glob("{src,test}/**/*.{ts,tsx}").scan());
  const programs = all.filter((path) => /^(?:src|test\/(?:bench|fault))\//.test(path) && !path.endsWith(".test.ts"));
  const guides = ["README.md", ...(await Array.fromAsync(new Glob("{src,test}/**/*.md").scan()))];
  const english = programs.filter((path) => !/\/words\/(?!en\.)/.test(path));
  return Promise.all([
    ...english.map(async (path) => ({ path, written: textsOf(await Bun.file(path).text()) })),
    ...guides.map(async (path) => ({ path, written: [prose(await Bun.file(path).text())] })),
  ]);
}

const read = await texts();

test.each(TURNS)("no text contains %p; write instead: %s", (turn) => {
  const found = read.flatMap(({ path, written }) =>
    written.filter((text) => turn.test(text)).map((text) => ({ path, text })),
  );
  expect(found).toEqual([]);
});

test("finds a phrase in strings, templates and Markdown, but not in comments or code", () => {
  const program = `const colour = \`a \${colour} of "licence"\`; // colour here
log("the colour " + "is away", /colour is "no"/);`;
  expect(textsOf(program)).toEqual(['a … of "licence"', "the colour is away"]);
  expect(prose("a `colour of` words\n\n```sh\nthe colour\n```\nends")).not.toContain("colour");
});
