/** Figures and lists in the text of guides are those of the code. */
import { expect, test } from "bun:test";
import { CROWD_MAX, FLOOD_MAX, REPEATS_MAX } from "@/clicks/enrich/bot-signs";
import { ACCESS_TOKEN_DAYS, ACCESS_TOKENS_MAX } from "@/contract/accounts/access-tokens";
import { INVITATION_DAYS } from "@/contract/accounts/members";
import { STREAM_INTERVAL_MS } from "@/contract/analytics/series";
import { BULK_CHANGES_MAX } from "@/contract/links/bulk-changes";
import { BULK_LINKS_MAX } from "@/contract/links/bulk-links";
import { IMPORT_RECORDS_MAX, IMPORTS_KEPT_MAX } from "@/contract/links/imports";
import { WEBHOOKS_MAX } from "@/contract/webhooks";
import { UNFURLERS } from "@/core/headers/unfurlers";
import { IMPORT_BYTES_MAX } from "@/core/imports/limits";
import { LANGUAGES } from "@/core/pages/page-languages";
import { CONTRAST_MIN } from "@/core/qr/colour";
import { IN_APP } from "@/core/routing/in-app";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/core/time/time-range";
import { BATCH_MESSAGES_MAX } from "@/core/webhooks/batch";
import { WAITS_MS } from "@/core/webhooks/schedule";
import { WINDOW_MAX } from "@/core/webhooks/window";
import { LISTED_MAX } from "@/figures/write/value-bound";
import { PAGE_LIMIT } from "@/http/page";
import { ATTRIBUTION_VALID_MS, MATCH_VALID_MS } from "@/modules/match/validity";

/** The text in one line, since sentences go on in the next. */
const guide = async (name: string) => (await Bun.file(`src/http/docs/guide/${name}.md`).text()).replace(/\s+/g, " ");

const shown = (count: number) => count.toLocaleString("en");
const days = (ms: number) => ms / DAY_MS;
const wait = (ms: number) => {
  if (ms < MINUTE_MS) return `${ms / 1_000} s`;
  return ms < HOUR_MS ? `${ms / MINUTE_MS} min` : `${ms / HOUR_MS} h`;
};
const listed = (items: readonly string[]) => `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;

test.each<[guide: string, sentence: string]>([
  ["accounts", `valid for ${INVITATION_DAYS} days`],
  ["accounts", `expires after ${ACCESS_TOKEN_DAYS} days`],
  ["accounts", `${ACCESS_TOKENS_MAX} active tokens`],
  ["analytics", `from the ${REPEATS_MAX + 1}st visit`],
  ["analytics", `More than ${CROWD_MAX} visits to one organization`],
  ["analytics", `Above ${FLOOD_MAX}, they count`],
  ["analytics", `up to ${LISTED_MAX.link} values of such a dimension`],
  ["analytics", `and ${shown(LISTED_MAX.organization)} per organization`],
  ["analytics", `(${shown(STREAM_INTERVAL_MS.min)} to ${shown(STREAM_INTERVAL_MS.max)})`],
  ["api", `\`limit\` (${PAGE_LIMIT} by default`],
  ["apps", `within ${days(MATCH_VALID_MS)} days`],
  ["apps", `within ${days(ATTRIBUTION_VALID_MS)} days`],
  ["links", `creates up to ${BULK_LINKS_MAX} links`],
  ["links", `to up to ${shown(BULK_CHANGES_MAX)} links`],
  ["links", `below ${CONTRAST_MIN}:1`],
  ["moving", `up to ${IMPORT_BYTES_MAX / 2 ** 20} MB and ${shown(IMPORT_RECORDS_MAX)} records`],
  ["moving", `until ${IMPORTS_KEPT_MAX} newer imports`],
  ["webhooks", `up to ${WEBHOOKS_MAX} endpoints`],
  ["webhooks", `up to ${WINDOW_MAX} while`],
  ["webhooks", `up to ${BATCH_MESSAGES_MAX} events`],
  ["webhooks", `after ${listed(WAITS_MS.map(wait))}`],
])("%s: %s", async (name, sentence) => {
  expect(await guide(name)).toContain(sentence);
});

const languages = LANGUAGES.map((code) => new Intl.DisplayNames("en", { type: "language" }).of(code) ?? code);

test.each<[guide: string, what: string, names: string[]]>([
  ["apps", "browser inside another app", IN_APP.map(({ name }) => name)],
  ["links", "previewer", UNFURLERS.map(([name]) => name)],
  ["pages-and-leads", "language", languages],
  ["dashboard", "language", languages],
])("%s names every %s", async (name, _, names) => {
  const text = await guide(name);
  expect(names.filter((each) => !new RegExp(`\\b${each}\\b`).test(text))).toEqual([]);
});
