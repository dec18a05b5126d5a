/** Enforces boundaries between folders (imports, who reads the environment) and limits on the size of files. */
import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Glob } from "bun";

const LINES_MAX = 300;
const FUNCTION_LINES_MAX = 70;
const FILES_MAX = 25;

/**
 * The folders from which each folder may import at run time; folders without an entry may import any. Type imports
 * are unrestricted, because they are erased.
 */
const WALLS: Record<string, string[]> = {
  contract: [],
  core: ["contract"],
  platform: ["core", "contract"],
  http: ["core", "contract", "platform"],
  pages: ["core", "contract", "platform"],
  edge: ["core", "contract", "platform", "pages"],
  figures: ["core", "contract", "platform"],
  clicks: ["core", "contract", "platform", "figures"],
  modules: ["core", "contract", "platform", "http", "pages", "figures"],
  workers: ["core", "contract", "platform"],
  lane: ["core", "contract", "platform"],
  config: ["core", "contract", "platform"],
  // Programs of their own, which put the parts together.
  imports: ["core", "contract", "platform", "modules", "workers"],
  admin: ["core", "contract", "platform", "http", "figures", "clicks", "modules", "imports"],
  // They start whole services.
  processes: ["core", "contract", "platform", "root"],
  // The dashboard runs in browsers.
  dashboard: ["core"],
};

/** npm packages that a folder may use. Folders that are not listed may use any. */
const PACKAGES: Record<string, string[]> = {
  contract: ["elysia", "@sinclair/typebox"],
  core: ["ipaddr.js"],
};

interface Source {
  path: string;
  folder: string;
  text: string;
  imports: string[];
  /** Those of its imports that are loaded with the file, not only once they are used. */
  needed: string[];
}

/** All source files except declaration files. */
const sources = (await readSources()).filter(({ path }) => !path.endsWith(".d.ts"));

describe("imports", () => {
  test.each(sources.map((source) => [source.path, source] as const))("%s keeps to its folder's walls", (_, source) => {
    const allowed = WALLS[source.folder];
    if (!allowed) return;
    const crossed = source.imports.filter((name) => {
      const folder = folderReached(source.path, name);
      return folder !== undefined && ![source.folder, ...allowed].includes(folder);
    });
    expect(crossed).toEqual([]);
  });

  test("core and contract use no package but those listed, and nothing of Node", () => {
    const foreign = sources.flatMap(({ path, folder, imports }) =>
      imports
        .filter((name) => PACKAGES[folder] && !name.startsWith("@/") && !name.startsWith("."))
        .filter((name) => !PACKAGES[folder]?.some((allowed) => name === allowed || name.startsWith(`${allowed}/`)))
        .map((name) => `${path}: ${name}`),
    );
    expect(foreign).toEqual([]);
  });

  test("a module reaches another one only through its service", () => {
    const crossed = sources
      .filter(({ folder }) => folder === "modules")
      .flatMap(({ path, imports }) =>
        imports
          .filter((name) => name.startsWith("@/modules/"))
          .filter((name) => name.split("/")[2] !== path.split("/")[2] && !name.endsWith("/service"))
          .map((name) => `${path}: ${name}`),
      );
    expect(crossed).toEqual([]);
  });

  test("the click worker loads neither the web framework nor schemas, which cost memory in each process", () => {
    const loaded = new Set(["src/clicks/worker.ts"]);
    const packages = new Set<string>();
    for (const path of loaded) {
      const { needed } = sources.find((source) => source.path === path) ?? { needed: [] };
      for (const name of needed) packages.add(name);
      for (const imported of importedBy(path, needed)) loaded.add(imported);
    }
    expect(loaded.size).toBeGreaterThan(50);
    expect([...packages].filter((name) => /^(?:elysia|@sinclair|drizzle-orm)/.test(name))).toEqual([]);
  });

  test("relative imports stay within their folder", () => {
    const climbing = sources.flatMap(({ path, imports }) =>
      imports.filter((name) => name.startsWith("../../")).map((name) => `${path}: ${name}`),
    );
    expect(climbing).toEqual([]);
  });
});

describe("order", () => {
  test("no imports go in a circle", () => {
    expect(circlesOf(new Map(sources.map(({ path, imports }) => [path, importedBy(path, imports)])))).toEqual([]);
  });

  test(`no folder holds more than ${FILES_MAX} files`, () => {
    const folders = Map.groupBy(new Glob("{src,test}/**/*").scanSync("."), dirname);
    const crowded = [...folders].filter(([, files]) => files.length > FILES_MAX);
    expect(crowded.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
  });

  test("a name is exported by one file alone", () => {
    const exported = /^export (?:abstract )?(?:async )?(?:function\*?|const|let|class|type|interface|enum) (\w+)/gm;
    const files = new Map<string, Set<string>>();
    for (const { path, folder, text } of sources) {
      // The dashboard is a separate program, whose names may coincide with the service's.
      const program = folder === "dashboard" ? "dashboard" : "service";
      for (const [, name = ""] of text.matchAll(exported)) {
        const key = `${name} of the ${program}`;
        files.set(key, (files.get(key) ?? new Set()).add(path));
      }
    }
    const shared = [...files].filter(([, paths]) => paths.size > 1);
    expect(shared.map(([name, paths]) => `${name}: ${[...paths].join(", ")}`)).toEqual([]);
  });

  test("no file, no export and no package is unused", async () => {
    const knip = Bun.spawn([process.execPath, "node_modules/.bin/knip-bun", "--no-progress", "--no-config-hints"]);
    expect(await knip.stdout.text()).toBe("");
    expect(await knip.exited).toBe(0);
  });
});

describe("purity", () => {
  test("only config.ts reads the environment", () => {
    const readers = sources
      .filter(({ text }) => /(?<!")\b(?:Bun|process|import\.meta)\.env\b/.test(text))
      .map(({ path }) => path);
    expect(readers).toEqual(["src/config.ts"]);
  });

  test("core has no clock and no randomness of its own", () => {
    const impure = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\b|\bcrypto\.|\bperformance\.|\bBun\./;
    const offenders = sources
      .filter(({ folder, text }) => folder === "core" && impure.test(withoutComments(text)))
      .map(({ path }) => path);
    expect(offenders).toEqual([]);
  });
});

describe("size", () => {
  test(`no file has more than ${LINES_MAX} lines`, () => {
    const large = sources.filter(({ text }) => text.split("\n").length > LINES_MAX).map(({ path }) => path);
    expect(large).toEqual([]);
  });

  test(`no function is longer than ${FUNCTION_LINES_MAX} lines`, () => {
    expect(sources.flatMap(longFunctions)).toEqual([]);
  });
});

test("no comment cites a document that a reader of the repository does not have", async () => {
  const cites = /§|\b(?:spec|product|architecture|targets|redesign)(?:\.md| \d)/i;
  const paths = [...new Glob("{src,test,drizzle}/**/*.{ts,tsx,md}").scanSync(".")].filter(
    (path) => !path.endsWith("tidy.test.ts"),
  );
  const texts = await Promise.all(paths.map(async (path) => ({ path, text: await Bun.file(path).text() })));
  expect(texts.filter(({ text }) => cites.test(text)).map(({ path }) => path)).toEqual([]);
});

test("a file of the sources that a comment names exists", () => {
  const names = /`((?:@\/|\.\/)?(?:[\w.-]+\/)+[\w-]+(?:\.tsx?)?|[\w-]+\.tsx?)`/g;
  const folders = new Set(sources.map(({ folder }) => folder));
  const paths = sources.map(({ path }) => path.replace(/\.tsx?$/, ""));
  const missing = sources.flatMap(({ path, text }) =>
    (text.match(/\/\*\*[\s\S]*?\*\//g) ?? [])
      .flatMap((comment) => [...comment.matchAll(names)].map(([, name = ""]) => name))
      .filter((name) => name.startsWith(".") || /\.tsx?$/.test(name) || folders.has(folderOf(name)))
      .filter((name) => {
        const file = name.replace(/^(?:@|\.|src)\//, "").replace(/\.tsx?$/, "");
        return !paths.some((other) => other.endsWith(`/${file}`) || other.includes(`/${file}/`));
      })
      .map((name) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test("the project's root holds what it should and nothing else", async () => {
  const made = ["node_modules", "dist"];
  const visible = (await readdir(".")).filter((name) => !name.startsWith(".") && !made.includes(name));
  const expected = ["Dockerfile", "README.md", "bun.lock", "bunfig.toml", "drizzle", "fly.toml", "package.json", "src"];
  expect(visible.sort()).toEqual([...expected, "test", "tsconfig.json"].sort());
});

async function readSources(): Promise<Source[]> {
  const transpilers = {
    ts: new Bun.Transpiler({ loader: "ts" }),
    tsx: new Bun.Transpiler({ loader: "tsx" }),
  };
  const paths = [...new Glob("src/**/*.{ts,tsx}").scanSync(".")].sort();
  return Promise.all(
    paths.map(async (path) => {
      const text = await Bun.file(path).text();
      const transpiler = path.endsWith("x") ? transpilers.tsx : transpilers.ts;
      const found = transpiler.scanImports(text);
      return {
        path,
        folder: folderOf(path.slice("src/".length)),
        text,
        imports: found.map((each) => each.path),
        needed: found.filter(({ kind }) => kind === "import-statement").map((each) => each.path),
      };
    }),
  );
}

/** Returns the folder that the import leads to; undefined for a package. */
function folderReached(path: string, name: string): string | undefined {
  if (name.startsWith("@/")) return folderOf(name.slice(2));
  return name.startsWith(".") ? folderOf(join(dirname(path), name).slice("src/".length)) : undefined;
}

/** Returns the files of `src` that these imports refer to. */
function importedBy(path: string, imports: readonly string[]): string[] {
  return imports.flatMap((name) => {
    if (!name.startsWith("@/") && !name.startsWith(".")) return [];
    const found = name.startsWith("@/") ? join("src", name.slice(2)) : join(dirname(path), name);
    return (
      sources.find((source) => [found, `${found}.ts`, `${found}.tsx`, `${found}/index.ts`].includes(source.path))
        ?.path ?? []
    );
  });
}

/** Returns the cycles in the graph of runtime imports, each as the list of its files. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const follow = (path: string, way: readonly string[]) => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(" → "));
    if (done.has(path)) return;
    done.add(path);
    for (const next of graph.get(path) ?? []) follow(next, [...way, path]);
  };
  for (const path of graph.keys()) follow(path, []);
  return circles;
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");

function folderOf(path: string): string {
  return path.includes("/") ? (path.split("/")[0] ?? "") : "root";
}

/** First lines of functions: declarations, arrow functions, methods. The formatter's indentation shows their ends. */
const FUNCTION_HEADS = [
  /^(\s*)(?:export )?(?:default )?(?:async )?function\*? (\w+)/,
  /^(\s*)(?:export )?const (\w+)\b.* => \{$/,
  /^(\s+)(?:(?:static|private|protected|override|async|get|set) |\*)*(#?\w+)(?:<.*>)?\(.*\{$/,
  /^(\s*)(.*) => \{$/,
];
const STATEMENT = /^\s*(?:(?:\} )?else|if|for|while|switch|(?:\} )?catch|return|do|await)\b/;

/**
 * Returns the functions, at any depth, that are too long. A function ends at the first line that closes it at the
 * same indentation; nested functions count towards its length.
 */
function longFunctions({ path, text }: Source): string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, start) => {
    const head = STATEMENT.test(line) ? null : FUNCTION_HEADS.map((form) => form.exec(line)).find((found) => found);
    if (!head) return [];
    const end = lines.findIndex((other, index) => index > start && other.startsWith(`${head[1]}}`));
    return end - start > FUNCTION_LINES_MAX ? [`${path}: ${head[2]?.trim()} has ${end - start} lines`] : [];
  });
}
