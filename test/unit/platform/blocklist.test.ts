import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { appendFile, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@test/support/until";
import { type Blocklist, type BlocklistFacts, openBlocklist } from "@/platform/safety/blocklist";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waymark-blocklist-"));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
async function fileOf(text: string): Promise<string> {
  const path = join(folder, `list-${++files}.txt`);
  await writeFile(path, text);
  return path;
}

async function listOf(text: string): Promise<Blocklist> {
  using list = await openBlocklist(await fileOf(text));
  return list;
}

const find = (list: Blocklist, url: string) => list.find(new URL(url));

const LIST = `
# hosts
evil.example
*.worse.example   # and all beneath
BÖSE.example
203.0.113.9
2001:db8::1

https://files.example/malware/
http://files.example/malware/covered
https://files.example/x?id=1
https://files.example/café/
https://ports.example:8443/
`;

describe("a URL is matched by", () => {
  test.each([
    ["its host", "https://evil.example/any?path", "evil.example"],
    ["its host in capitals and with the root's dot", "https://EVIL.example./", "evil.example"],
    ["its host at any port", "https://evil.example:8443/", "evil.example"],
    ["a name above its host", "https://a.b.worse.example/", "*.worse.example"],
    ["the name of a tree itself", "https://worse.example/", "*.worse.example"],
    ["a host with letters of its own", "https://böse.example/", "xn--bse-sna.example"],
    ["an address", "http://203.0.113.9/", "203.0.113.9"],
    ["an address written otherwise", "http://0xcb007109/", "203.0.113.9"],
    ["an IPv6 address", "http://[2001:db8:0::1]/", "2001:db8::1"],
    ["how it begins", "http://files.example/malware/a/b.zip", "https://files.example/malware/"],
    ["how it begins, within its query", "https://files.example/x?id=12", "https://files.example/x?id=1"],
    [
      "how it begins, with letters escaped that need not be",
      "https://files.example/%6dalw%61re/a",
      "https://files.example/malware/",
    ],
    [
      "how it begins, with escapes in lower case",
      "https://files.example/caf%c3%a9/a",
      "https://files.example/caf%C3%A9/",
    ],
    ["how it begins, at a port", "https://ports.example:8443/a", "https://ports.example:8443/"],
  ])("%s", async (_, url, entry) => {
    expect(find(await listOf(LIST), url)).toBe(entry);
  });

  test.each([
    ["nothing", "https://example.com/"],
    ["a name beneath a host", "https://www.evil.example/"],
    ["the end of its host", "https://notevil.example/"],
    ["the end of a name of a tree", "https://evenworse.example/"],
    ["another path", "https://files.example/"],
    ["another port", "https://ports.example/"],
    ["what stands within it", "https://example.com/?u=https://evil.example/"],
  ])("not by %s", async (_, url) => {
    expect(find(await listOf(LIST), url)).toBeUndefined();
  });
});

test("each of many prefixes of one host is found, and nothing between them", async () => {
  const numbers = Array.from({ length: 5_000 }, (_, index) => ((index * 7_919) % 5_000) * 2);
  const list = await listOf(numbers.map((number) => `https://drive.example/d/${number}/`).join("\n"));
  for (const number of numbers) {
    expect(find(list, `https://drive.example/d/${number}/edit`)).toBe(`https://drive.example/d/${number}/`);
    expect(find(list, `https://drive.example/d/${number + 1}/edit`)).toBeUndefined();
  }
});

/** Returns the maximum number of texts that were sorted between two event-loop turns while the list was read. */
async function sortedInOneTurn(lines: string[]): Promise<number> {
  const path = await fileOf(lines.join("\n"));
  let [inThisTurn, most] = [0, 0];
  const { sort } = Array.prototype;
  const { sleep } = Bun;
  using _sort = spyOn(Array.prototype, "sort").mockImplementation(function (this: unknown[], compare) {
    inThisTurn += this.length;
    most = Math.max(most, inThisTurn);
    return sort.call(this, compare);
  });
  using _sleep = spyOn(Bun, "sleep").mockImplementation((milliseconds) => {
    inThisTurn = 0;
    return sleep(milliseconds);
  });
  using list = await openBlocklist(path);
  expect(find(list, lines[0] ?? "")).toBeDefined();
  return most;
}

describe("requests are served while the URLs are sorted", () => {
  const numbers = Array.from({ length: 20_000 }, (_, index) => (index * 7_919) % 20_000);

  test.each([
    ["of one host", () => "drive.example"],
    ["of many hosts", (number: number) => `drive-${number % 40}.example`],
  ])("%s", async (_, hostOf) => {
    const lines = numbers.map((number) => `https://${hostOf(number)}/d/${number}/`);
    expect(await sortedInOneTurn(lines)).toBeLessThanOrEqual(2_000);
  });
});

describe("a file", () => {
  test("is reported with its entries and invalid lines counted, also with Windows line endings", async () => {
    const facts: (BlocklistFacts | Error)[] = [];
    const path = await fileOf("evil.example\r\n\r\n# none\r\nno host!\r\nhttp://\r\n*.\r\nworse.example");
    using list = await openBlocklist(path, { onRead: (outcome) => facts.push(outcome) });
    expect(facts).toEqual([{ entries: 2, skipped: 3 }]);
    expect([find(list, "https://evil.example/"), find(list, "https://worse.example/")]).toEqual([
      "evil.example",
      "worse.example",
    ]);
  });

  test("that does not exist is an error at startup", async () => {
    await expect(openBlocklist(join(folder, "none.txt"))).rejects.toThrow("ENOENT");
  });

  test("with too many entries is refused", async () => {
    const path = await fileOf("a.example\nb.example\nc.example");
    await expect(openBlocklist(path, { entriesMax: 2 })).rejects.toThrow("more than 2 entries");
  });

  test("with a line of many megabytes is read without that line", async () => {
    const list = await listOf(
      `a.example\n${"x".repeat(8 * 2 ** 20)}\nb.example #${" comment".repeat(2 ** 17)}\nc.example`,
    );
    const found = ["a", "b", "c"].map((name) => find(list, `https://${name}.example/`));
    expect(found).toEqual(["a.example", "b.example", "c.example"]);
  });

  test("of many blocks loses no entry at a block boundary", async () => {
    const hosts = Array.from({ length: 30_000 }, (_, index) => `host-${index}.example`);
    const list = await listOf(hosts.join("\n"));
    expect(hosts.filter((host) => find(list, `https://${host}/`) === undefined)).toEqual([]);
  });
});

describe("a file that changes", () => {
  async function watched(
    text: string,
    { entriesMax, lookEveryMs = 10 }: { entriesMax?: number; lookEveryMs?: number } = {},
  ) {
    const path = await fileOf(text);
    const outcomes: (BlocklistFacts | Error)[] = [];
    const list = await openBlocklist(path, {
      lookEveryMs,
      entriesMax,
      onRead: (outcome) => outcomes.push(outcome),
    });
    return { path, list, outcomes };
  }

  test("is read again, whether replaced or written in place", async () => {
    const { path, list } = await watched("a.example\n");
    using _closed = list;
    const generation = list.generation;
    await appendFile(path, "b.example\n");
    await until(() => find(list, "https://b.example/") !== undefined);
    await rename(await fileOf("c.example"), path);
    await until(() => find(list, "https://c.example/") !== undefined);
    expect(find(list, "https://a.example/")).toBeUndefined();
    expect(list.generation).toBe(generation + 2);
  });

  test("is not read while it is being written", async () => {
    const lookEveryMs = 20;
    const begun = performance.now();
    const { path, list, outcomes } = await watched("a.example\n", { lookEveryMs });
    using _closed = list;
    const started = outcomes.length;
    for (let part = 0; part < 100; part++) {
      await appendFile(path, `b${part}.example\n`);
      await Bun.sleep(2);
    }
    await until(() => find(list, "https://b99.example/") !== undefined);
    // On a busy machine, a part may take longer than the time between two looks. The file is then read, but never more
    // than once in two looks.
    const looks = Math.ceil((performance.now() - begun) / lookEveryMs);
    expect(outcomes.length - started).toBeLessThanOrEqual(Math.ceil(looks / 2) + 1);
  });

  test("and becomes invalid or missing keeps the previous list, and each error is reported once", async () => {
    const { path, list, outcomes } = await watched("a.example\n", { entriesMax: 2 });
    using _closed = list;
    await writeFile(path, "b.example\nc.example\nd.example\n");
    await until(() => outcomes.some((outcome) => outcome instanceof Error));
    await rm(path);
    await until(() => outcomes.filter((outcome) => outcome instanceof Error).length === 2);
    await Bun.sleep(50);
    expect(outcomes.length).toBe(3);
    expect(find(list, "https://a.example/")).toBe("a.example");
    await writeFile(path, "e.example\n");
    await until(() => find(list, "https://e.example/") !== undefined);
  });
});
