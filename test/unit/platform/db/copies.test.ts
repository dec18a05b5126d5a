/** Cached copies of the database: every cache is emptied when another history of the database begins. */
import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { VersionedCache } from "@/figures/read/versioned-cache";
import { Copies } from "@/platform/db/copies";

/** Files whose caches hold nothing from the database. */
const NOT_FROM_DATABASE = [
  "edge/link-search.ts",
  "edge/visitor-facts.ts",
  "platform/user-agent.ts",
  "clicks/enrich/senders.ts",
  "platform/client-address.ts",
  "platform/geo/geo-places.ts",
  "platform/hosts/own-hosts.ts",
  "platform/safety/web-risk.ts",
  "modules/safety/subject.ts",
  "clicks/enrich/source.ts",
  "modules/qr/logos.ts",
  "modules/destinations/ask.ts",
  "modules/sso/provider.ts",
  "modules/auth/sessions/tokens.ts",
];
/** Files whose caches are created for each piece of work, or reload within a minute. */
const SHORT_LIVED = [
  "modules/icons/service.ts",
  "modules/analytics/imported-clicks.ts",
  "figures/read/sole-filter.ts",
  "figures/read/value-series.ts",
  "figures/verify/stored-units.ts",
  "clicks/count-open.ts",
  "clicks/verdicts.ts",
];
/** Files whose caches add themselves to the copies, or are added by their creator. */
const ADDED = [
  "clicks/writer/applier.ts",
  "figures/write/figure-store.ts",
  "clicks/enrich/link-targets.ts",
  "figures/columns/loaded-days.ts",
  "figures/read/partial-hours.ts",
  "figures/read/installs.ts",
  "figures/read/links/leaders.ts",
  "figures/read/links/link-visitors.ts",
  "figures/read/packed.ts",
  "figures/read/value-texts.ts",
  "modules/insights/routed/routed-samples.ts",
];
/** Files whose caches are notified along with the links, also when another history begins. */
const NOTIFIED_WITH_LINKS = [
  "edge/association/association-cache.ts",
  "edge/app-branding.ts",
  "edge/branding.ts",
  "platform/link-cache/known-versions.ts",
  "platform/link-cache/missing-addresses.ts",
];

const REMEMBERS =
  /\b(?:createBoundedMap[<(]|new (?:Refreshed|VersionedCache|UnitCache|KnownValues|FigureValues|LinkTargetCache|FigureStore)\b)/;

test("every cache in src is listed as emptied with the others, short-lived, or not from the database", async () => {
  const found: string[] = [];
  for await (const path of new Glob("**/*.ts").scan("src")) {
    if (REMEMBERS.test(await Bun.file(`src/${path}`).text())) found.push(path);
  }
  const known = [...NOT_FROM_DATABASE, ...SHORT_LIVED, ...ADDED, ...NOTIFIED_WITH_LINKS, "platform/bounded-map.ts"];
  expect(found.filter((path) => !known.includes(path))).toEqual([]);
  expect(known.filter((path) => !found.includes(path))).toEqual([]);
});

test.each(ADDED.filter((path) => path !== "figures/write/figure-store.ts"))(
  "%s adds its cache to the copies",
  async (path) => {
    expect(await Bun.file(`src/${path}`).text()).toMatch(/copies\.add\(|new VersionedCache\([^)]*, copies\)/);
  },
);

describe("a cached row", () => {
  test("is not used for a row of the same version in another history of the database", () => {
    const copies = new Copies();
    const kept = new VersionedCache<{ version: string; bytes: number }>(1000, copies);
    kept.set("row", { version: "7 (0,1)", bytes: 10 });
    expect(kept.get("row", "7 (0,1)")).toBeDefined();
    copies.forget();
    expect(kept.get("row", "7 (0,1)")).toBeUndefined();
  });
});
