/** The served guides are complete, have no dead links, and use the content security policy of the API reference. */
import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { DESCRIBED_ORIGIN, describeApp, operationsOf } from "@test/support/document/described";
import { Glob } from "bun";
import { commands } from "@/admin/commands";
import { readConfig } from "@/config";
import { ROLES, SCOPES, TOKEN_SCOPES } from "@/contract/accounts/access";
import { PLANS } from "@/contract/accounts/plans";
import { FILTER_NAMES } from "@/contract/analytics/analytics-filters";
import { BREAKDOWN_BY } from "@/contract/analytics/dimensions";
import { REPORTS_MAX } from "@/contract/analytics/reports";
import { APPS_MAX } from "@/contract/apps";
import { DOMAINS_MAX } from "@/contract/domains";
import { BIO_PAGES_MAX } from "@/contract/links/bio-pages";
import { ImportCredentials } from "@/contract/links/import-api";
import { IMPORT_RESULTS, ImportOptionsInput } from "@/contract/links/imports";
import { LINK_ORDERS, LINK_SORTS, LINK_STATES, LinkListQuery } from "@/contract/links/link-lists";
import { PIXEL_PROVIDERS } from "@/contract/links/link-pages";
import { RuleConditions } from "@/contract/routing";
import { pageQuery } from "@/contract/schema";
import { WEBHOOK_EVENTS, WEBHOOKS_MAX } from "@/contract/webhooks";
import { ENTITLEMENTS } from "@/core/entitlements";
import { anyCsv } from "@/core/imports/sources/any-csv";
import { GUIDES } from "@/http/docs/guide";

const { app, document } = await describeApp();
const ask = (path: string) => app.handle(new Request(`http://localhost${path}`));
const linksOf = (html: string): string[] =>
  [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url = ""]) => url.replaceAll("&amp;", "&"));

const paths = ["/docs/guide", ...GUIDES.map((name) => `/docs/guide/${name}`)];

test("every Markdown file in the folder is a guide", () => {
  const files = [...new Glob("*.md").scanSync("src/http/docs/guide")].map((name) => name.replace(".md", ""));
  expect(files.sort()).toEqual([...GUIDES].sort());
});

describe.each(paths)("%s", (path) => {
  test("is a page with one main heading and the content security policy of the API reference", async () => {
    const response = await ask(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toBe(
      (await ask("/docs")).headers.get("content-security-policy"),
    );
    const html = await response.text();
    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
    expect(html).not.toMatch(/ style=|<script|<style/);
  });

  test("has no dead links, and loads nothing from another host", async () => {
    const html = await (await ask(path)).text();
    for (const url of linksOf(html).filter((url) => !/^(https?:|mailto:)/.test(url))) {
      const { pathname, hash } = new URL(url, `http://localhost${path}`);
      const there = await ask(pathname);
      expect({ url, status: there.status }).toEqual({ url, status: 200 });
      if (hash) expect(await there.text()).toContain(`id="${hash.slice(1)}"`);
    }
    for (const [, url] of html.matchAll(/<(?:img|link)[^>]+(?:src|href)="(https?:[^"]+)"/g))
      expect(url).toBeUndefined();
  });
});

describe("commands are for this service:", () => {
  const shown = async (guide: string) => (await ask(`/docs/guide/${guide}`)).text();

  test("they call its API", async () => {
    const html = await shown("quick-start");
    expect(html).toContain(`API=${DESCRIBED_ORIGIN}/api/v1\n`);
    expect(html).toContain(`href="${DESCRIBED_ORIGIN}/docs"`);
  });

  test.each(paths)("%s names a developer's machine only for what is asked on the machine itself", async (path) => {
    const html = await (await ask(path)).text();
    expect(html.match(/(?<!\.)localhost:3000(?!\/internal\/)\S*/g) ?? []).toEqual([]);
  });

  test("a proxy asks on the machine itself", async () => {
    expect(await shown("domains")).toContain("ask http://localhost:3000/internal/tls/ask");
  });
});

test("an example in a guide is the same as in its file", async () => {
  const html = await (await ask("/docs/guide/webhooks")).text();
  const source = await Bun.file("src/http/docs/guide/examples/verify-webhook.ts").text();
  expect(html).toContain(Bun.escapeHTML(source.trimEnd()).replaceAll("&#x27;", "'"));
});

test("the README is short, and links only to files that exist", async () => {
  const readme = await Bun.file("README.md").text();
  expect(readme.split("\n").length).toBeLessThanOrEqual(121);
  for (const [, path = ""] of readme.matchAll(/\]\((?!https?:)([^)]+)\)/g))
    expect(await Bun.file(path).exists()).toBe(true);
});

test("the README names every folder of the sources", async () => {
  const readme = await Bun.file("README.md").text();
  const folders = (await readdir("src", { withFileTypes: true })).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !readme.includes(`\`src/${name}\``))).toEqual([]);
});

test("an unknown guide is 404", async () => {
  expect((await ask("/docs/guide/nothing")).status).toBe(404);
});

describe("a guide names every", () => {
  test.each([
    ["condition", "routing", Object.keys(RuleConditions.properties)],
    ["filter of links", "links", Object.keys(LinkListQuery.properties).filter((name) => !(name in pageQuery))],
    ["webhook event", "webhooks", WEBHOOK_EVENTS],
    ["pixel provider", "pages-and-leads", PIXEL_PROVIDERS],
    ["dimension and filter", "analytics", [...FILTER_NAMES, ...BREAKDOWN_BY]],
    ["role", "accounts", ROLES],
    ["scope of access tokens", "accounts", TOKEN_SCOPES],
    ["scope of API keys", "api", SCOPES],
    ["state and order of links", "links", [...LINK_STATES, ...LINK_SORTS, ...LINK_ORDERS]],
    ["option of an import", "moving", Object.keys(ImportOptionsInput.properties)],
    ["credential of an import", "moving", Object.keys(ImportCredentials.properties)],
    ["result of an import", "moving", IMPORT_RESULTS],
    ["column of any CSV", "moving", Object.keys(anyCsv.columns ?? {}).filter((name) => !/^utm_./.test(name))],
    ["check of a domain", "apps", document.components.schemas.DomainCheck?.properties?.check?.enum ?? ["no check"]],
    ["command of operators", "operating", Object.keys(commands)],
  ] as const)("%s", async (_, guide, names) => {
    const text = await Bun.file(`src/http/docs/guide/${guide}.md`).text();
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});

/** Variables that the image, the supervisor of several workers and tests set, not operators, and those of Bun itself. */
const NO_SETTINGS = [
  ...["NODE_ENV", "WAYMARK_WORKER", "FLY_API_URL", "WEB_RISK_API_URL"],
  ...["NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA", "NODE_TLS_REJECT_UNAUTHORIZED"],
];

test("the README names every setting", async () => {
  const [settings] = /^## Settings$.*?^## /ms.exec(await Bun.file("README.md").text()) ?? [""];
  const named = [...settings.matchAll(/`([A-Z][A-Z_]+)`(?=[^|\n]*\|[^|\n]*\|[^|\n]*\|$)/gm)].map(([, name]) => name);
  const read = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
  expect(named.sort()).toEqual([...read].filter((name) => !NO_SETTINGS.includes(name)).sort());
});

describe.each(["README.md", ...GUIDES.map((name) => `src/http/docs/guide/${name}.md`)])("%s names only", (path) => {
  test("operations that exist", async () => {
    const called = (await Bun.file(path).text()).matchAll(/\b(GET|HEAD|POST|PUT|PATCH|DELETE) ([/…][^\s`?|"]*)/g);
    const faults = [...called]
      .map(([, method = "", written = ""]) => `${method} ${written.replace(/[.,;:]$/, "")}`)
      .filter((operation) => !OTHERS.includes(operation) && !isOperation(operation));
    expect(faults).toEqual([]);
  });

  test("metrics that exist", async () => {
    const named = (await Bun.file(path).text()).match(/\bwaymark_[a-z_]+/g) ?? [];
    const sources = await Promise.all(METRIC_SOURCES.map((file) => Bun.file(file).text()));
    const isMetric = (name: string) => sources.some((text) => text.includes(`"${name}"`));
    expect(named.filter((name) => !SQL_FUNCTIONS.includes(name) && !isMetric(name))).toEqual([]);
  });
});

/** What guides name of other services, and that the API has no operation for. */
const OTHERS = ["GET /rest/v3/short-urls", "GET /v4/groups/{guid}/bitlinks"];

const METRIC_SOURCES = ["src/metrics.ts", "src/platform/telemetry/metrics.ts", "src/platform/link-cache/changes.ts"];
const SQL_FUNCTIONS = ["waymark_counts", "waymark_uniques"];

/** True if the API has the operation. Guides leave out the beginning of some paths. */
function isOperation(operation: string): boolean {
  const [method = "", written = ""] = operation.split(" ");
  const path = written.replace(/\{\w+\}/g, "{}");
  return operationsOf(document).some((known) => {
    const whole = known.path.replace(/\{\w+\}/g, "{}");
    if (known.method !== method) return false;
    return path.startsWith("…") ? whole.endsWith(path.slice(1)) : [path, `/api/v1${path}`].includes(whole);
  });
}

describe("what a plan allows stands in the guide:", () => {
  const shown = (count: number | null) => {
    if (count === null) return "any";
    return count < 1_000_000 ? count.toLocaleString("en") : `${count / 1_000_000} million`;
  };

  test.each(PLANS)("%s", async (plan) => {
    const text = await Bun.file("src/http/docs/guide/accounts.md").text();
    const { requestsPerMinute, requestsPerMonth, links, domains, members, apiKeys, bulkLinks, retentionDays } =
      ENTITLEMENTS[plan];
    const row = text.split("\n").find((line) => line.startsWith(`| \`${plan}\` `));
    expect(row?.split("|").map((cell) => cell.trim())).toEqual([
      "",
      `\`${plan}\``,
      ...[requestsPerMinute, requestsPerMonth, links, bulkLinks, domains, members, apiKeys].map(shown),
      retentionDays === null ? "forever" : `${retentionDays} days`,
      "",
    ]);
  });

  test("whatever the plan", async () => {
    const text = await Bun.file("src/http/docs/guide/accounts.md").text();
    const [domains, pages, reports] = [DOMAINS_MAX, BIO_PAGES_MAX, REPORTS_MAX].map(shown);
    expect(text).toContain(
      `at most ${domains} domains, ${pages} bio pages, ${reports} reports, ${APPS_MAX} apps and ${WEBHOOKS_MAX} webhooks.`,
    );
  });
});
