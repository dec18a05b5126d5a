/** The texts that each part of the dashboard requests along with its code: neither too few nor too many. */
import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { Glob } from "bun";

const ROOT = "src/dashboard";

interface Source {
  /** Paths of what it imports immediately, and of what it loads later. */
  now: string[];
  later: string[];
  /** What it passes to `lazyPart`. */
  parts: { path: string; groups: string[] }[];
  /** The groups of texts that it states. */
  stated: string[];
}

const transpiler = new Bun.Transpiler({ loader: "tsx" });
const texts = new Map<string, string>();
for (const path of new Glob("**/*.{ts,tsx}").scanSync(ROOT)) {
  if (!path.startsWith("words/") && !path.endsWith(".d.ts")) texts.set(path, await Bun.file(join(ROOT, path)).text());
}
const sources = new Map([...texts].map(([path, text]) => [path, sourceOf(path, text)]));

function sourceOf(path: string, text: string): Source {
  const imports = transpiler.scanImports(text);
  const named = (kind: string) =>
    imports.filter((each) => each.kind === kind).flatMap((each) => reached(path, each.path) ?? []);
  const quoted = (list: string) => [...list.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name);
  return {
    now: named("import-statement"),
    later: named("dynamic-import"),
    parts: [...text.matchAll(/lazyPart\(\s*\(\) => import\("([^"]+)"\)((?:,\s*"\w+")*),?\s*\)/g)].map(
      ([, name = "", groups = ""]) => ({ path: reached(path, name) ?? name, groups: quoted(groups) }),
    ),
    stated: [...text.matchAll(/receiveWords\(\[([^\]]*)\]/g)].flatMap(([, groups = ""]) => quoted(groups)),
  };
}

/** Returns the path of an imported file of the dashboard. */
function reached(from: string, name: string): string | undefined {
  const own = name.startsWith("@/dashboard/") ? name.slice("@/dashboard/".length) : join(dirname(from), name);
  return [`${own}.ts`, `${own}.tsx`].find((path) => texts.has(path));
}

/** Returns the groups that a file and all that it imports state. */
function statedIn(path: string, seen = new Set<string>()): Set<string> {
  const groups = new Set<string>();
  if (seen.has(path)) return groups;
  seen.add(path);
  const { stated = [], now = [] } = sources.get(path) ?? {};
  return new Set([...stated, ...now.flatMap((each) => [...statedIn(each, seen)])]);
}

const parts = [...sources].flatMap(([from, { parts }]) => parts.map((part) => ({ from, ...part })));

test.each(parts.map(({ from, path, groups }) => [from, path, groups] as const))(
  "%s loads %s together with the texts that it uses",
  (from, path, groups) => {
    expect(groups.toSorted()).toEqual([...statedIn(path).difference(statedIn(from))].sort());
  },
);

test("everything else that is loaded later uses none, and the first load uses none", () => {
  const elsewhere = [...sources].flatMap(([from, { later, parts }]) =>
    later.filter((path) => !parts.some((part) => part.path === path)).map((path) => [from, path, ...statedIn(path)]),
  );
  expect(elsewhere.filter(([, , ...groups]) => groups.length > 0)).toEqual([]);
  expect(elsewhere.map(([from]) => from).sort()).toEqual([
    ...["api/failures.ts", "main.tsx", "ui/dialog.tsx", "ui/menu.tsx", "ui/toasts.tsx"],
  ]);
  expect([...statedIn("main.tsx")]).toEqual([]);
});

test("only `lazyPart` loads components, because it waits for their texts", () => {
  const others = [...texts].filter(([, text]) => /\blazy\(/.test(text)).map(([path]) => path);
  expect(others).toEqual(["ui/part.tsx"]);
});
