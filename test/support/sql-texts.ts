/** Finds SQL in source files: templates tagged `sql` or `tx`, and untagged text that looks like SQL. */

interface Literal {
  /** True if it has the tag `sql` or `tx`. */
  isTagged: boolean;
  /** Interpolations are replaced with ` ? `. Literals within them are separate entries. */
  text: string;
}

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/y;
const REGEX = /(?<=[(,=:[!&|?{};>]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const STRING = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'/y;
const TAG = /\b(?:sql|tx)(?:<(?:(?!\b(?:sql|tx)\b)[^`])*>)?$/;

const STATEMENT =
  /^\s*\(?\s*(?:select|insert into|update \w+ (?:set|as)|delete from|with (?:recursive )?\w+ (?:\([\w, ]*\) )?as|copy \w+|lock table)\b/;
const OPERATOR = / (?:=|<>|<|<=|>|>=|is|as|in) |::|\w\(/;

/** Returns the SQL texts of a file. `columns` are names with an underscore, by which fragments are recognized. */
export function sqlTextsOf(source: string, columns: ReadonlySet<string>): string[] {
  const isSql = ({ isTagged, text }: Literal) =>
    isTagged || STATEMENT.test(text) || (OPERATOR.test(text) && !text.includes("`") && namesAny(text, columns));
  return literalsOf(source)
    .filter(isSql)
    .map(({ text }) => text);
}

const namesAny = (text: string, columns: ReadonlySet<string>): boolean =>
  (text.match(/\b[a-z]+_[a-z_]+\b/g) ?? []).some((word) => columns.has(word));

export function literalsOf(source: string): Literal[] {
  const found: Literal[] = [];
  let at = 0;
  readCode();
  return found;

  /** Reads up to the closing brace of the current block, or to the end of the file. */
  function readCode(): void {
    for (let depth = 0; at < source.length; ) {
      if (skip(COMMENT) || skip(REGEX)) continue;
      const string = skip(STRING);
      if (string) found.push({ isTagged: false, text: string[1] ?? string[2] ?? "" });
      else if (source[at] === "`") readTemplate(TAG.test(source.slice(Math.max(0, at - 320), at)));
      else if (source[at] === "}" && depth === 0) return;
      else depth += Number(source[at] === "{") - Number(source[at++] === "}");
    }
  }

  function readTemplate(isTagged: boolean): void {
    const literal = { isTagged, text: "" };
    found.push(literal);
    for (at++; at < source.length && source[at] !== "`"; at++) {
      if (source[at] === "\\") literal.text += source[at++];
      if (!source.startsWith("${", at)) literal.text += source[at];
      else {
        at += 2;
        readCode();
        literal.text += " ? ";
      }
    }
    at++;
  }

  function skip(form: RegExp): RegExpExecArray | null {
    form.lastIndex = at;
    const match = form.exec(source);
    if (match) at = form.lastIndex;
    return match;
  }
}

/**
 * Returns the names in these statements and fragments that must be tables or columns. Leaves out aliases and other
 * names that the statements define, functions and types.
 */
export function namesIn(texts: readonly string[]): Set<string> {
  const text = texts
    .join("\n;\n")
    .replace(/'(?:[^']|'')*'|"[^"]*"|--.*|\\[a-z]/g, " ")
    .replace(/::\s*\w+/g, " ");
  const own = new Set(wordsIn(text, OWN_NAMES));
  const names = wordsOf(text.replace(/\b[a-z_]\w*\s*\(/g, "(")).filter((name) => !own.has(name));
  return new Set([...names, ...wordsIn(text, STORED_NAMES)].filter((name) => !isPostgres(name)));
}

const wordsIn = (text: string, forms: readonly RegExp[]): string[] =>
  forms.flatMap((form) => [...text.matchAll(form)].flatMap(([, ...groups]) => wordsOf(groups.join(" "))));

const wordsOf = (text: string): string[] => text.match(/(?<![\w$@:])[a-z_][a-z_0-9]*\b/g) ?? [];

const LIST = String.raw`(?:\s*\(\s*(\w+(?: \w+)?(?:,\s*\w+(?: \w+)?)*)\s*\))`;

/** Forms that define a name: `as name (columns)`, `name (columns) as (`, `) name (columns)` and `from table name`. */
const OWN_NAMES = [
  String.raw`\bas (?:materialized )?([a-z_]\w*)${LIST}?`,
  String.raw`\b([a-z_]\w*)${LIST}? as (?:not )?(?:materialized )?\(`,
  String.raw`\)\s+(?!over\b|filter\b)([a-z_]\w*)${LIST}?`,
  String.raw`\b(?:from|join|update|into)\s+[\w.?]+\s+([a-z_]\w*)`,
].map((form) => new RegExp(form, "g"));

/** Forms that always name a stored column, even if the statement defines the same name itself. */
const STORED_NAMES = [`\\binsert into [\\w?]+${LIST}`, String.raw`\bset (\w+) =`, String.raw`\bexcluded\.(\w+)`].map(
  (form) => new RegExp(form, "g"),
);

const isPostgres = (name: string): boolean => name.startsWith("pg_") || POSTGRES.has(name);

/** Keywords, and the system columns that every table has. */
const POSTGRES = new Set(
  `access all and any array as asc between binary both by case collate conflict copy cross current_user default delete desc distinct
  do else end epoch except excluded exclusive exists false filter first following for format from full group grouping
  having if in inner insert intersect interval into is join json key last lateral left like limit local lock locked mode
  natural no not nothing null nulls offset on only or order ordinality outer over partition preceding range recursive
  returning right row rows select set sets share similar skip some stdin table then time to trailing true union unknown
  update using values when where window with within without zone ctid tableoid xmin`.split(/\s+/),
);
