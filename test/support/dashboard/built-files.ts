/** Sizes of the dashboard's built files, and which of them each part of the dashboard loads. */
import { brotliCompressSync } from "node:zlib";
import { LANGUAGES } from "@/core/pages/page-languages";
import { ASSETS_PATH, buildDashboard } from "@/http/dashboard/build";

interface File {
  /** Bytes, compressed. */
  size: number;
  /** Names of the files that it imports immediately. */
  imports: readonly string[];
  /** What it passes to `lazyPart`: the file, and the groups of texts. */
  parts: readonly { name: string; groups: readonly string[] }[];
  /** The file of each group of texts, if it is a language's. */
  words: ReadonlyMap<string, string>;
}

type Names = ReadonlySet<string>;

const FILE = `"${ASSETS_PATH}/([^"]+)"`;
/** The bundler lets each import request the imported file's own imports first. */
const LATER = String.raw`(?:\(\w+\("\w+"\),)?import\(${FILE}\)\)?`;
const IMPORT = new RegExp(String.raw`(?:from|import)\s?${FILE}`, "g");
const PART = new RegExp(String.raw`\(\(\)=>${LATER}((?:,"\w+")*)\)`, "g");
const WORDS = new RegExp(String.raw`(\w+):async\(\)=>\(await ${LATER}`, "g");

type Files = ReadonlyMap<string, File>;

async function describeFiles(): Promise<Files> {
  const built = await buildDashboard();
  return new Map(
    built.map(({ name, bytes }) => {
      const text = new TextDecoder().decode(bytes);
      const groupsOf = (listed: string) => [...listed.matchAll(/\w+/g)].map(([group]) => group);
      return [
        name,
        {
          size: brotliCompressSync(bytes).length,
          imports: [...text.matchAll(IMPORT)].map(([, imported = ""]) => imported),
          parts: [...text.matchAll(PART)].map(([, part = "", listed = ""]) => ({
            name: part,
            groups: groupsOf(listed),
          })),
          words: new Map([...text.matchAll(WORDS)].map(([, group = "", file = ""]) => [group, file])),
        },
      ];
    }),
  );
}

/** A part of the dashboard that is loaded later. */
export interface LaterPart {
  /** Bytes of the files that its opener has not loaded, with its texts in the longest language, compressed. */
  size: number;
  groups: readonly string[];
  /** Loaded by the frame, such as a screen, instead of by another part. */
  isOfFrame: boolean;
}

export interface Loads {
  /** Bytes of the frame. */
  first: number;
  /** Bytes of the texts that each language loads first, and its groups of texts. */
  words: { size: number; groups: readonly string[] }[];
  later: LaterPart[];
}

export async function describeLoads(): Promise<Loads> {
  const files = await describeFiles();
  const [script, styles] = [onlyName(files, "main", ".js"), onlyName(files, "main", ".css")];
  const sizeOf = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + fileOf(files, name).size, 0);
  const frame = new Set([...neededBy(files, script, new Set()), styles]);
  const languages = LANGUAGES.map((language) => onlyName(files, language, ".js"));
  const spoken = languages.map((name) => ({
    size: sizeOf(neededBy(files, name, frame)),
    words: fileOf(files, name).words,
  }));
  const later: LaterPart[] = [];
  const follow = (from: Names, loaded: Names) => {
    for (const { name, groups } of [...from].flatMap((each) => fileOf(files, each).parts)) {
      const own = neededBy(files, name, loaded);
      const wordSizes = spoken.map(({ words }) => sizeOf(groups.map((group) => words.get(group) ?? group)));
      later.push({ size: sizeOf(own) + Math.max(...wordSizes), groups, isOfFrame: from === frame });
      follow(own, loaded.union(own));
    }
  };
  follow(frame, frame);
  return { first: sizeOf(frame), words: spoken.map(({ size, words }) => ({ size, groups: [...words.keys()] })), later };
}

function onlyName(files: Files, source: string, type: string): string {
  const [name, ...others] = [...files.keys()].filter((each) => each.startsWith(`${source}-`) && each.endsWith(type));
  if (name === undefined || others.length > 0) throw new Error(`Not one file of ${source}: ${[name, ...others]}`);
  return name;
}

function fileOf(files: Files, name: string): File {
  const file = files.get(name);
  if (!file) throw new Error(`There is no file ${name}`);
  return file;
}

/** Returns the file and all that it imports, except what is already loaded. */
function neededBy(files: Files, name: string, loaded: Names, needed = new Set<string>()): Set<string> {
  if (needed.has(name) || loaded.has(name)) return needed;
  needed.add(name);
  for (const each of fileOf(files, name).imports) neededBy(files, each, loaded, needed);
  return needed;
}
