/** A bio page's linked items whose state is not in the cache and cannot be loaded, or not in time. */
import { describe, expect, test } from "bun:test";
import { type CompiledLink, compileLink } from "@/core/routing/compiled-link";
import type { LinkDefinition } from "@/core/routing/link";
import { createBioVisit } from "@/edge/bio";
import { Hit } from "@/edge/hit";
import { createVisitCounts } from "@/edge/visit-counts";

const HOST = "go.example.com";
const definition: LinkDefinition = {
  id: "page",
  number: 1,
  version: 1,
  orgId: "org",
  orgVersion: 1,
  title: "Ada",
  shortUrl: `https://${HOST}/ada`,
  defaultUrl: `https://${HOST}/ada`,
  rules: [],
  splitTargets: [],
  deepLinkPayload: null,
  utm: null,
  marketing: null,
  app: null,
  expiredUrl: null,
  social: null,
  appendClickId: false,
  page: {
    kind: "bio",
    bio: null,
    theme: {},
    items: ["one", "two"].map((slug) => ({
      key: slug,
      title: slug,
      linkId: slug,
      linkUrl: `https://${HOST}/${slug}`,
      isActive: true,
    })),
  },
  gate: {
    isActive: true,
    isDomainVerified: true,
    isUnsafe: false,
    startsAt: null,
    expiresAt: null,
    maxClicks: null,
    passwordHash: null,
  },
};
const NO_LOG = { debug() {}, info() {}, warn() {}, error() {}, flush() {} };

async function hrefsWith(get: (key: string) => Promise<CompiledLink | null>) {
  const logged: string[] = [];
  const visit = createBioVisit({
    links: { peek: () => undefined, get },
    tokenOf: () => undefined,
    brandOf: async () => null,
    counts: createVisitCounts(),
    record: async () => true,
    log: { ...NO_LOG, warn: (_, fields) => logged.push(String(fields?.error)) },
    addressing: { shortDomain: "short.example", isCaseSensitive: () => false },
  });
  const response = await visit(
    compileLink(definition),
    new Hit(new Request(`https://${HOST}/ada`), null, "", 0, () => ""),
  );
  const hrefs = [...(await response.text()).matchAll(/href="https:\/\/go\.example\.com\/(\w+)"/g)].map(
    ([, slug]) => slug,
  );
  return { hrefs: hrefs.filter((slug) => slug !== "ada"), logged };
}
const linkOf = (id: string) => compileLink({ ...definition, id, page: null });

describe("an item whose link is not cached", () => {
  test("is looked up by its address, and shown only if its own link is found there", async () => {
    const asked: string[] = [];
    const { hrefs } = await hrefsWith(async (key) => {
      asked.push(key);
      return linkOf("one");
    });
    expect([asked, hrefs]).toEqual([[`${HOST}/one`, `${HOST}/two`], ["one"]]);
  });

  test("is still shown if the lookup fails, and the failure is logged", async () => {
    const { hrefs, logged } = await hrefsWith(async (key) => {
      if (key.endsWith("two")) throw new Error("Postgres is unavailable");
      return null;
    });
    expect(hrefs).toEqual(["two"]);
    expect(logged).toEqual(["Error: Postgres is unavailable"]);
  });

  test("is still shown if the lookup takes too long", async () => {
    const never = new Promise<null>(() => {});
    expect((await hrefsWith((key) => (key.endsWith("two") ? never : Promise.resolve(null)))).hrefs).toEqual(["two"]);
  });
});
