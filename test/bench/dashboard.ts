/**
 * `bun run bench dashboard [--links=100000] [--rounds=7] [--folder=…]`: measures what a person waits for, in the
 * system's Chromium. A workspace of 10 links and a large one take turns, each time in a new browser context with an
 * empty cache. The data stays in the folder, in a separate Postgres. The benchmark intercepts every request, which
 * makes all of them a little slower.
 */
import { mkdir } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { launchBrowser, type Page } from "@test/support/browser/browser";
import type { AuthSession } from "@/contract/accounts/auth";
import { brotli } from "@/http/dashboard/files";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { migrate } from "@/platform/db/migrate";
import { begunSubject } from "./lists/main";
import { post } from "./requests";
import { median } from "./rounds";
import { LARGE_POSTGRES, startWaymark } from "./servers";

const FEW = 10;
const KEYS = [..."jjkxjxkjkj"];

interface Workspace {
  origin: string;
  token: string;
  slug: string;
  /** Number of rows that must be visible. */
  rows: number;
}

export async function measureDashboard(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      links: { type: "string", default: "100000" },
      rounds: { type: "string", default: "7" },
      folder: { type: "string" },
    },
  });
  const links = Number(values.links);
  const folder = values.folder ?? join(tmpdir(), `waymark-dashboard-${links}`);
  await mkdir(folder, { recursive: true });
  const postgres = await startEmbeddedPostgres(folder, () => {}, LARGE_POSTGRES);
  try {
    await migrate(postgres.url);
    await using waymark = await startWaymark(postgres.url);
    const { origin } = waymark;
    const sizes = { links, leads: 100, audits: 100, deliveries: 100, others: 10, neighbours: 100 };
    const { email, password } = await begunSubject(postgres.url, folder, waymark, sizes);
    const many = workspaceOf(origin, await post(`${origin}/api/v1/auth/login`, { email, password }));
    await measureBoth(await workspaceOfFew(origin), many, links, Number(values.rounds));
  } finally {
    await postgres.stop();
    console.log(`The data stays in ${folder}`);
  }
}

const workspaceOf = (origin: string, { token, organizations: [first] }: AuthSession): Workspace => ({
  ...{ origin, token, slug: first?.slug ?? "", rows: FEW },
});

async function workspaceOfFew(origin: string): Promise<Workspace> {
  const account = { email: `bench-${crypto.randomUUID()}@example.com`, password: crypto.randomUUID() };
  const made = { ...account, name: "Bench", organizationName: "Bench" };
  const session = await post<AuthSession>(`${origin}/api/v1/auth/register`, made);
  const links = `${origin}/api/v1/organizations/${session.organizations[0]?._id}/links`;
  for (let index = 0; index < FEW; index++)
    await post(links, { defaultUrl: `https://example.com/${index}` }, session.token);
  return workspaceOf(origin, session);
}

async function measureBoth(few: Workspace, many: Workspace, links: number, rounds: number): Promise<void> {
  const browser = await launchBrowser();
  const measured = { [`${FEW} links`]: [] as Visit[], [`${links} links`]: [] as Visit[] };
  try {
    // Warms up what the server builds and caches once for all visitors.
    for (const workspace of [few, many]) await visit(await browser.page(), workspace);
    for (let round = 0; round < rounds; round++) {
      for (const [name, workspace] of [
        [`${FEW} links`, few],
        [`${links} links`, many],
      ] as const)
        measured[name]?.push(await visit(await browser.page({ width: 1_440, height: 900 }), workspace));
    }
  } finally {
    await browser.close();
  }
  console.log(`Load average ${loadavg()[0]?.toFixed(1)}, ${rounds} rounds, medians (longest)`);
  console.table(Object.fromEntries(Object.entries(measured).map(([name, visits]) => [name, rowOf(visits)])));
  const [last] = Object.values(measured).flat();
  console.log(
    `First load: ${last?.bytes} bytes as sent here, ${await bestOf(last?.files ?? [])} as the image sends it`,
  );
}

/** Compresses the files as the image does; a server that builds them itself uses a faster, weaker compression. */
async function bestOf(files: string[]): Promise<number> {
  const headers = { "accept-encoding": "identity" };
  const sizes = files.map(
    async (file) => (await brotli(new Uint8Array(await (await fetch(file, { headers })).arrayBuffer()))).length,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

interface Visit extends Times {
  /** Total size of the files that were loaded before the first rows, as encoded. */
  bytes: number;
  files: string[];
}

interface Times {
  firstPaintMs: number;
  rowsMs: number;
  rowsAgainMs: number;
  copiedMs: number;
  keyMs: number;
}

function rowOf(visits: Visit[]): Record<string, string> {
  const told = (name: keyof Times) => {
    const figures = visits.map((visit) => visit[name]);
    return `${Math.round(median(figures))} (${Math.round(Math.max(...figures))})`;
  };
  return {
    "first paint, ms": told("firstPaintMs"),
    "first rows, ms": told("rowsMs"),
    "rows, loaded again, ms": told("rowsAgainMs"),
    "paste to copied, ms": told("copiedMs"),
    "key to paint, ms": told("keyMs"),
  };
}

/** Measures one visit. `keyMs` is the longest of several key presses. */
async function visit(page: Page, workspace: Workspace): Promise<Visit> {
  const { origin, token, slug, rows } = workspace;
  const address = `${origin}/app/o/${slug}/links`;
  await page.cookie({ name: "waymark", value: token, url: origin });
  const rowsMs = await opened(page, address, rows);
  const loaded = await page.evaluate<Pick<Visit, "bytes" | "files" | "firstPaintMs">>(LOADED);
  const rowsAgainMs = await opened(page, address, rows);
  const keys: number[] = [];
  for (const key of KEYS) keys.push(await timed(page, key, "true"));
  await page.evaluate(`document.querySelector("main form input").focus()`);
  await page.type(`https://example.com/${crypto.randomUUID()}`);
  const copiedMs = await timed(page, "Enter", `!!document.querySelector(".toast")?.innerText.includes("clipboard")`);
  return { ...loaded, rowsMs, rowsAgainMs, copiedMs, keyMs: Math.max(...keys) };
}

/** Resolves to the milliseconds from the start of the navigation to the frame that shows this many rows. */
async function opened(page: Page, address: string, rows: number): Promise<number> {
  await page.open(address, "read");
  return page.evaluate(`new Promise((seen) => {
    const look = () => document.querySelectorAll(".list-row input").length >= ${rows}
      ? seen(performance.now()) : requestAnimationFrame(look);
    look();
  })`);
}

const LOADED = `(() => {
  const sent = performance.getEntriesByType("resource").filter(({ name }) => name.includes("/app/assets/"));
  return {
    bytes: sent.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    files: sent.map(({ name }) => name),
    firstPaintMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
  };
})()`;

/** Resolves to the milliseconds from the key press to the frame after the one that shows its effect. */
async function timed(page: Page, key: string, isShown: string): Promise<number> {
  await page.evaluate(`window.shown = new Promise((seen) => {
    addEventListener("keydown", ({ timeStamp }) => {
      const look = () => ${isShown}
        ? requestAnimationFrame(() => setTimeout(() => seen(performance.now() - timeStamp)))
        : requestAnimationFrame(look);
      requestAnimationFrame(look);
    }, { once: true, capture: true });
  }), undefined`);
  await page.press(key);
  return page.evaluate("window.shown");
}
