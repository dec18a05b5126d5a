/** What follows clicks: installs, leads and events, the webhooks that tell of them, and links that were imported. */

import { leadsIn } from "@test/support/leads";
import { createMint } from "@test/support/match";
import { runImport } from "@test/support/outside/imports";
import { createWebhook, startReceiver } from "@test/support/outside/webhooks";
import type { Account, TestService } from "@test/support/service";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { type Draw, NOW, oneOf, type Workspace, whole } from "./traffic";

const CONVERSIONS = 20;
const EVENTS = ["click", "link.opened", "link.matched", "custom.event"] as const;

interface Time {
  clock(): number;
  at(time: number): void;
}

/** Claims installs, leaves leads and sends events, at times of the last week. */
export async function convert(service: TestService, workspace: Workspace, draw: Draw, { clock, at }: Time) {
  const { account, links } = workspace;
  const mint = await createMint(service, clock);
  const leave = leadsIn(service.databaseUrl);
  const apiKey = await service.createApiKey(account, ["events:write"]);
  const clicks = await service.sql<{ id: string; linkId: string; at: number }[]>`
    select id, link_id as "linkId", (extract(epoch from occurred_at) * 1000)::float8 as at from clicks
    where org_id = ${account.orgId} and occurred_at > ${new Date(NOW - 6 * DAY_MS)} order by id limit 400`;
  for (let made = 0; made < CONVERSIONS; made++) {
    const { _id: linkId } = oneOf(draw, links);
    at(NOW - whole(draw, 6 * DAY_MS));
    await service.call("POST", "/api/v1/match", { body: { matchToken: await mint(linkId) } });
    const value = draw() < 0.3 ? undefined : whole(draw, 10_000) / 100 - 10;
    const body = { name: `event ${whole(draw, 14)}`, ...(draw() < 0.7 && { linkId }), value };
    await service.call("POST", "/api/v1/events", { apiKey, body });
    const click = oneOf(draw, clicks);
    await leave({
      ...{ orgId: account.orgId, linkId: click.linkId, at: click.at + whole(draw, HOUR_MS) },
      ...(draw() < 0.8 && { clickId: click.id }),
    });
  }
}

/** Creates a webhook for each event, and returns their ids by event. One that fails would be turned off. */
export async function createWebhooks(service: TestService, account: Account): Promise<Record<string, string>> {
  const { url } = startReceiver();
  const ids: Record<string, string> = {};
  for (const event of EVENTS) {
    const { _id } = await createWebhook(service, account, url, [event]);
    ids[event] = _id;
  }
  return ids;
}

const MOVED = [
  { slug: "moved-1", tags: ["moved"], clicksBefore: 900, clicksByDay: { "2026-02-28": 5, "2026-03-01": 7 } },
  { slug: "moved-2", tags: ["moved", "sale"], clicksBefore: 50, clicksByDay: { "2026-03-01": 20, "2026-03-31": 30 } },
];

const oldClicks = (links: typeof MOVED) => ({
  count: links.reduce((sum, { clicksBefore }) => sum + clicksBefore, 0),
  byDay: links.flatMap(({ clicksByDay }) => Object.entries(clicksByDay)),
});

/** The clicks from before the import, by the filter of an overview. */
export const OLD_CLICKS = [
  ["", oldClicks(MOVED)],
  ["&tag=moved", oldClicks(MOVED)],
  ["&tag=sale", oldClicks(MOVED.slice(1))],
] as const;

export async function importLinks(service: TestService, account: Account): Promise<void> {
  const [shared] = await service.sql<{ id: string }[]>`select id from domains where org_id is null`;
  const lines = MOVED.map((link) =>
    JSON.stringify({ ...link, _id: crypto.randomUUID(), domain: "old.test", defaultUrl: "https://example.com/moved" }),
  );
  await runImport(service, account, {
    ...{ text: lines.join("\n"), name: "links.jsonl", options: { domainMap: { "*": shared?.id ?? "" } } },
  });
}
