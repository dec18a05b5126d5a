/**
 * Requests every kind of route that reads or writes clicks, opens, events and figures once, and reports those that
 * fail.
 */
import { createMint } from "@test/support/match";
import type { Account, client } from "@test/support/service";
import type { Sql } from "postgres";
import type { ClickPage } from "@/contract/analytics/clicks";
import type { Link } from "@/contract/links/links";
import { createLeadRecorder } from "@/modules/leads/service";
import { openDatabase } from "@/platform/db/client";

interface Asked {
  server: ReturnType<typeof client>;
  sql: Sql;
  databaseUrl: string;
  account: Account;
  links: readonly Link[];
}

const READS = [
  "overview",
  "overview?includeBots=true",
  "overview?browser=Firefox&platform=desktop",
  "breakdown?by=country",
  "breakdown?by=browser&os=Linux&platform=desktop",
  "breakdown?by=domain&browser=Firefox",
  "breakdown?by=tag",
  "breakdown?by=hourOfWeek&platform=desktop",
  "top-links",
  "top-links?browser=Firefox",
  "clicks?limit=50",
  "clicks?browser=Firefox&limit=50",
  "export.csv",
  "unserved",
  "insights",
  "anomalies",
  "conversion-prediction",
  "best-destination",
  "broken-campaigns",
  "abuse-queue",
  "abuse-queue?status=all",
  "abuse-queue/groups?by=address",
  "abuse-queue/groups?by=link",
  "reports",
];

export async function askEverything({ server, sql, databaseUrl, account, links }: Asked) {
  const { orgId, token } = account;
  const home = `/api/v1/organizations/${orgId}`;
  const [link] = links;
  if (!link) throw new Error("There are links");
  const wrong: string[] = [];
  let routes = 0;
  async function ask<Body>(method: string, path: string, options: object = {}): Promise<Body> {
    const { status, body } = await server.call<Body>(method, path, { token, ...options });
    routes++;
    if (status >= 300) wrong.push(`${method} ${path} was answered ${status}: ${JSON.stringify(body).slice(0, 200)}`);
    return body;
  }
  const apiKey = await server.createApiKey(account, ["events:write", "links:write"]);
  const { clicks } = await ask<ClickPage>("GET", `${home}/analytics/clicks?limit=5&includeBots=true`);
  const [first, second] = clicks;
  const sell = { name: "purchase", linkId: link._id, visitorId: first?._id, value: 12.5 };
  const headers = { "idempotency-key": crypto.randomUUID() };
  await ask("POST", "/api/v1/events", { token: undefined, apiKey, headers, body: sell });
  const mint = await createMint({ sql });
  await ask("POST", "/api/v1/match", { token: undefined, body: { matchToken: await mint(link._id) } });
  const ct = await mint(link._id);
  await ask("POST", "/api/v1/match/install-attribution", { token: undefined, body: { ct } });
  await leave(databaseUrl, { orgId, linkId: link._id, clickId: first?._id ?? "" });
  for (const path of READS) await ask("GET", `${home}/analytics/${path}`);
  await ask("GET", `${home}/analytics/clicks/${first?._id}`);
  await ask("GET", `${home}/analytics/trends?linkId=${links.map(({ _id }) => _id).join("&linkId=")}`);
  await ask("GET", `${home}/links?limit=50`);
  await ask("GET", `${home}/links/${link._id}/leads`);
  await ask("GET", `${home}/links/${link._id}/leads/export.csv`);
  await ask("POST", `${home}/links/${link._id}/preview/traffic`, { body: { defaultUrl: "https://example.com/other" } });
  await ask("POST", `${home}/ai/marketing-assistant`, { body: { goal: "More sales" } });
  const report = await ask<{ _id: string }>("POST", `${home}/analytics/reports`, { body: { name: "Weekly" } });
  await ask("GET", `${home}/analytics/reports/${report._id}/export.csv`);
  await judge(ask, `${home}/analytics/abuse-queue`, wrong);
  await ask("POST", `${home}/privacy/erase`, { body: { visitorId: second?.visitorId ?? "" } });
  return { routes, wrong };
}

/** Leaves a lead as the link's form does when it is sent. */
async function leave(databaseUrl: string, visit: { orgId: string; linkId: string; clickId: string }): Promise<void> {
  await using database = openDatabase(databaseUrl, { pool: "tool", name: "waymark test leads" });
  const visitor = { visitorId: "9f3c1e0b7a25d486", at: Date.now(), fields: { email: "ada@example.com" } };
  await createLeadRecorder(database.db)({ ...visit, ...visitor });
}

type Ask = <Body>(method: string, path: string, options?: object) => Promise<Body>;

/** Reviews a suspicious click; there is one because of the many visits from one address within seconds. */
async function judge(ask: Ask, queue: string, wrong: string[]): Promise<void> {
  const { items } = await ask<{ items: { clickId: string }[] }>("GET", `${queue}?status=pending`);
  const [suspect] = items;
  if (!suspect) wrong.push("No click was suspicious");
  for (const status of ["confirmed", "dismissed", "pending"])
    await ask("PATCH", `${queue}/${suspect?.clickId}`, { body: { status } });
}
