/**
 * Fourteen months of visits of one organization, written by two servers at once: several domains, links with tags,
 * rules and splits, a bio page, deleted and archived links, apps that open links, bots, crowds, and repeats. A part of
 * them falls exactly on the edges of hours, days and months. Another organization uses the same values.
 */
import { waitUntilDrained } from "@test/support/clicks/drained";
import type { Account, TestService } from "@test/support/service";
import { seeded } from "@test/support/statistics/random";
import { clickRecord, temporaryFolder } from "@test/unit/clicks/records";
import type { ClickRecord } from "@/clicks/record";
import type { Link, LinkInput } from "@/contract/links/links";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/core/time/time-range";
import { PATIENT, startPipeline } from "../../clicks/fixture";

export const NOW = Date.parse("2026-11-21T12:30:00.500Z");
export const START = Date.parse("2025-09-18T05:00:00Z");
export const TAGS = ["spring", "été", "sale", "no one's"];

/** Returns a function that draws the same numbers from 0 to 1 for the same seed. */
export const drawsOf = (seed: number) => seeded(seed).uniform;

export type Draw = ReturnType<typeof drawsOf>;
export const whole = (draw: Draw, below: number) => Math.floor(draw() * below);
export function oneOf<Item>(draw: Draw, items: readonly Item[]): Item {
  const item = items[whole(draw, items.length)];
  if (item === undefined) throw new Error("There is nothing to choose from");
  return item;
}

const AGENTS = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
  "",
];
const CRAWLER = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const LANGUAGES = ["de-AT,de;q=0.8", "en-US", "en-GB", "", "zh-Hant-TW", "tr-TR"];
const REFERRERS = ["", "", "https://news.example.com/story", "https://xn--bcher-kva.example/", "https://t.co/x"];
const QUERIES = [
  "",
  "",
  "utm_source=letter&utm_medium=email",
  "utm_campaign=none",
  "utm_term=other&utm_content=%C3%A9",
];

export interface Workspace {
  account: Account;
  links: Link[];
  bioPageLinkId: string;
  domainIds: string[];
}

export async function makeWorkspace(service: TestService, linksMade = 12): Promise<Workspace> {
  const account = await service.register();
  const domainIds = [await addDomain(service, account.orgId), await addDomain(service, account.orgId)];
  const links: Link[] = [];
  for (let number = 0; number < linksMade; number++) {
    links.push(
      await service.createLink(account, { ...draftOf(number), domainId: [...domainIds, undefined][number % 3] }),
    );
  }
  const { body } = await service.call<{ _id: string }>("POST", `/api/v1/organizations/${account.orgId}/bio-pages`, {
    token: account.token,
    body: {
      slug: `bio-${account.orgId.slice(-8)}`,
      title: "All",
      links: [{ title: "One", url: "https://example.com/1" }],
    },
  });
  return { account, links, bioPageLinkId: body._id, domainIds };
}

async function addDomain({ sql }: TestService, orgId: string): Promise<string> {
  const id = Bun.randomUUIDv7();
  await sql`insert into domains (id, org_id, hostname, is_verified) values (${id}, ${orgId}, ${`${id}.test`}, true)`;
  return id;
}

function draftOf(number: number): LinkInput {
  const defaultUrl = `https://example.com/${number % 7}`;
  return {
    defaultUrl,
    tags: TAGS.slice(0, 3).filter((_, place) => (number >> place) & 1),
    ...(number % 5 === 1 && { utm: { source: "own", campaign: `campaign ${number % 3}` } }),
    ...(number % 4 === 2 && {
      splitTargets: ["a", "none"].map((key) => ({
        key,
        destinationUrl: `${defaultUrl}/${key}`,
        weight: 1,
        isActive: true,
      })),
    }),
    ...(number % 4 === 3 && {
      rules: [0, 1].map((priority) => ({
        priority,
        destinationUrl: `${defaultUrl}/rule-${priority}`,
        conditions: { platform: [priority === 0 ? ("ios" as const) : ("android" as const)] },
      })),
    }),
  };
}

/** Starts two servers: the even visits go through one, the odd ones through the other, at the same time. */
export function startServers({ databaseUrl }: Pick<TestService, "databaseUrl">) {
  const servers = [0, 1].map(() => {
    const folder = temporaryFolder();
    return { folder, pipeline: startPipeline(folder.path, databaseUrl, PATIENT) };
  });
  return {
    async record(records: readonly ClickRecord[]): Promise<void> {
      const applied = servers.map(async ({ pipeline }, place) => {
        const own = records.filter((_, index) => index % 2 === place);
        await Promise.all(own.map((record) => pipeline.append(record)));
        await waitUntilDrained(pipeline);
      });
      await Promise.all(applied);
    },
    async stop(): Promise<void> {
      for (const { folder, pipeline } of servers) {
        const { poisoned, shed } = pipeline.stats();
        await pipeline.close();
        folder.remove();
        if (poisoned + shed > 0) throw new Error(`${poisoned} visits were set aside and ${shed} shed`);
      }
    },
  };
}

export function trafficOf({ account, links, bioPageLinkId }: Workspace, visits: number, seed: number): ClickRecord[] {
  const draw = drawsOf(seed);
  const { orgId } = account;
  const records: ClickRecord[] = [];
  for (let index = 0; index < visits; index++) {
    const number = Math.floor(links.length * draw() ** 2);
    const at = timeOf(draw);
    const visitor = whole(draw, Math.max(50, visits / 4));
    records.push(
      clickRecord({
        ...{ orgId, linkId: draw() < 0.03 ? bioPageLinkId : (links[number]?._id ?? ""), at, id: idAt(at) },
        ...routeOf(number, draw),
        ...(draw() < 0.06 && { kind: "open", visitorId: `app ${whole(draw, 300)}`, platform: oneOf(draw, PLATFORMS) }),
        ...{ isHead: draw() < 0.01, isPrefetch: draw() < 0.01 },
        address: `11.${visitor % 90}.${(visitor >> 8) & 255}.${visitor & 255}`,
        userAgent: draw() < 0.03 ? CRAWLER : (AGENTS[visitor % AGENTS.length] ?? ""),
        acceptLanguage: LANGUAGES[visitor % LANGUAGES.length] ?? "",
        ...{ referrer: oneOf(draw, REFERRERS), query: oneOf(draw, QUERIES) },
      }),
    );
  }
  return [...records, ...crowds(records[0], draw)].sort((a, b) => a.at - b.at);
}

const PLATFORMS = ["ios", "android", "other"] as const;
const idAt = (at: number) => Bun.randomUUIDv7("hex", at);

/** Most visits are recent, and a tenth are within a millisecond of the edge of an hour, a day or a month. */
function timeOf(draw: Draw): number {
  const kind = draw();
  const at = Math.floor(
    kind < 0.3 ? between(draw, NOW - 3 * DAY_MS) : between(draw, kind < 0.7 ? NOW - 40 * DAY_MS : START),
  );
  if (draw() > 0.1) return at;
  const month = Date.UTC(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth());
  const edge = oneOf(draw, [at - (at % HOUR_MS), at - (at % DAY_MS), month]);
  return Math.max(START, edge - whole(draw, 2));
}

const between = (draw: Draw, from: number) => from + draw() * (NOW - 1_000 - from);

function routeOf(number: number, draw: Draw): Partial<ClickRecord> {
  if (number % 4 === 2) return { route: "split", splitKey: draw() < 0.4 ? "a" : "none" };
  if (number % 4 === 3 && draw() < 0.6) return { route: "rule", ruleIndex: whole(draw, 2) };
  return {};
}

/** One who clicks much too often, and a crowd behind one address, each within one minute. */
function crowds(like: ClickRecord | undefined, draw: Draw): ClickRecord[] {
  if (!like) return [];
  const minute = NOW - 2 * DAY_MS - (NOW % MINUTE_MS);
  const at = () => minute + whole(draw, MINUTE_MS - 10_000);
  const base = { ...like, kind: "click" as const, isHead: false, isPrefetch: false };
  const repeats = Array.from({ length: 90 }, () => ({
    ...base,
    address: "12.1.1.1",
    userAgent: AGENTS[2] ?? "",
    at: at(),
  }));
  const crowd = Array.from({ length: 150 }, (_, index) => ({
    ...{ ...base, address: "12.2.2.2", userAgent: `${AGENTS[3]} Venue/${index}`, at: at() },
  }));
  return [...repeats, ...crowd].map((record) => ({ ...record, id: idAt(record.at) }));
}
