/** Reads the command line of `import <source> <file>`. */
import { parseArgs } from "node:util";
import { IMPORT_SOURCES, type ImportOptionsInput } from "@/contract/links/imports";

/** What to import, and how. */
export interface AskedImport {
  org: string;
  file: string;
  domains: [host: string, domain: string][];
  options: ImportOptionsInput;
}

export function parseImport(values: string[]): AskedImport | { fault: string } {
  const options = {
    org: { type: "string" },
    domain: { type: "string", multiple: true, default: [] as string[] },
    map: { type: "string", multiple: true, default: [] as string[] },
    "on-conflict": { type: "string" },
    "dry-run": { type: "boolean", default: false },
    notify: { type: "boolean", default: false },
  } as const;
  try {
    const { values: given, positionals } = parseArgs({ args: values, options, allowPositionals: true });
    const [named, file, ...others] = positionals;
    if (!named || !file || others.length > 0 || !given.org)
      throw new Error("Expected: import <archive>, or import <source> <file> --org <organization>");
    const source = named === "auto" ? undefined : IMPORT_SOURCES.find((each) => each === named);
    if (named !== "auto" && !source)
      throw new Error(`There is no source ${named}: choose one of ${IMPORT_SOURCES.join(", ")}`);
    const onConflict = (["skip", "suffix", "replace"] as const).find((each) => each === given["on-conflict"]);
    if (given["on-conflict"] && !onConflict) throw new Error("--on-conflict: expected skip, suffix or replace");
    const mapping = Object.fromEntries(given.map.map((text) => pairOf("--map", text)).map(([a, b]) => [a, b || null]));
    return {
      ...{ org: given.org, file, domains: given.domain.map((text) => pairOf("--domain", text)) },
      options: { source, mapping, onConflict, dryRun: given["dry-run"], notify: given.notify },
    };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

function pairOf(name: string, text: string): [string, string] {
  const at = text.lastIndexOf("=");
  if (at < 1) throw new Error(`${name}: expected two names with = between them`);
  return [text.slice(0, at), text.slice(at + 1)];
}
