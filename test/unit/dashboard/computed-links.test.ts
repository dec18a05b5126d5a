/** Links from findings to the figures they are about. */
import { beforeAll, expect, test } from "bun:test";
import { toCountry, toDay, toDomain, toFigures } from "@/dashboard/analytics/computed-links";
import { loadStatedWords, loadWords } from "@/dashboard/words";

const LINK = "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e";
const OTHER = "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0f";
const COUNTRY = "opportunity:country:AT";
const DAY = "traffic_spike:all:2026-05-04T00:00:00.000Z";
const DAY_OF_LINK = `traffic_spike:${LINK}:2026-05-04T00:00:00.000Z`;

beforeAll(async () => {
  await loadWords("en");
  await loadStatedWords();
});

/** The view that the screen's address describes. */
function shown(search: string, linkId?: string) {
  const view = new URLSearchParams(search);
  const links = linkId ? [linkId] : view.getAll("linkId");
  return { view, linkId, filters: links.length > 0 ? { linkId: links } : {} };
}

const CASES: [what: string, search: string, linkId: string | undefined, id: string, to: string][] = [
  ["a country", "", undefined, COUNTRY, "/analytics?country=AT"],
  ["a country of a range", "range=7d&bots=yes", undefined, COUNTRY, "/analytics?range=7d&bots=yes&country=AT"],
  ["what was filtered by", "country=DE&os=iOS&more=city", undefined, COUNTRY, "/analytics?country=AT"],
  ["one link that was filtered by", `linkId=${LINK}`, undefined, COUNTRY, `/analytics?linkId=${LINK}&country=AT`],
  ["two of them", `linkId=${LINK}&linkId=${OTHER}`, undefined, COUNTRY, "/analytics?country=AT"],
  [
    "a link's own figures",
    "from=2026-05-01&to=2026-05-07",
    LINK,
    COUNTRY,
    own("from=2026-05-01&to=2026-05-07&country=AT"),
  ],
  ["a day", "range=90d", undefined, DAY, "/analytics?from=2026-05-04&to=2026-05-04"],
  ["a day of a link", "", undefined, DAY_OF_LINK, `/analytics?linkId=${LINK}&from=2026-05-04&to=2026-05-04`],
  ["a day among a link's own figures", "", LINK, DAY_OF_LINK, own("from=2026-05-04&to=2026-05-04")],
];

function own(search: string): string {
  return `/links/${LINK}/figures?${search}`;
}

test.each(CASES)("%s", (_, search, linkId, id, to) => {
  const screen = shown(search, linkId);
  expect((toCountry(id, screen) ?? toDay(id, screen))?.to).toBe(to);
});

test("a channel among a link's own figures", () => {
  expect(toFigures(shown("range=7d", LINK), { utmSource: "news & more" })).toBe(
    own("range=7d&utmSource=news+%26+more"),
  );
});

test("a domain, by its host, as long as the organization has it", () => {
  const domains = [{ _id: OTHER, hostname: "go.acme.com" }];
  expect(toDomain("unverified_domain:go.acme.com", domains)?.to).toBe(`/domains/${OTHER}`);
  expect(toDomain("unverified_domain:gone.acme.com", domains)).toBeUndefined();
  expect(toDomain(`dead_destination:${LINK}`, domains)).toBeUndefined();
});
