/** The served guides are complete, have no dead links, and use the content security policy of the API reference. */
import { describe, expect, test } from "bun:test";
import { describeApp } from "@test/support/document/described";
import { Glob } from "bun";
import { PLANS } from "@/contract/accounts/plans";
import { FILTER_NAMES } from "@/contract/analytics/analytics-filters";
import { BREAKDOWN_BY } from "@/contract/analytics/dimensions";
import { REPORTS_MAX } from "@/contract/analytics/reports";
import { APPS_MAX } from "@/contract/apps";
import { DOMAINS_MAX } from "@/contract/domains";
import { BIO_PAGES_MAX } from "@/contract/links/bio-pages";
import { LinkListQuery } from "@/contract/links/link-lists";
import { PIXEL_PROVIDERS } from "@/contract/links/link-pages";
import { RuleConditions } from "@/contract/routing";
import { pageQuery } from "@/contract/schema";
import { WEBHOOK_EVENTS, WEBHOOKS_MAX } from "@/contract/webhooks";
import { ENTITLEMENTS } from "@/core/entitlements";
import { GUIDES } from "@/http/docs/guide";

const { app } = await describeApp();
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
  ] as const)("%s", async (_, guide, names) => {
    const text = await Bun.file(`src/http/docs/guide/${guide}.md`).text();
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});

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
