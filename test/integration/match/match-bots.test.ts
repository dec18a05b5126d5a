/** Installs whose clicks are reviewed, among them some that are a bot's by themselves, whatever their click is. */
import { describe, expect, test } from "bun:test";
import { addApp } from "@test/support/accounts/tenants";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { PIXEL, SECRET } from "@test/support/match";
import { type Account, CLIENT_HEADER, type Reply, startTestService } from "@test/support/service";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import type { MatchResponse } from "@/contract/match";
import { verifyFigures } from "@/figures/verify/verify";
import { deleteOldClaims } from "@/modules/match/retention";

let now = Date.now();
const clock = () => now;
const env = { APP_SECRET: SECRET, SHORT_DOMAIN: "match.example" };
const first = await startTestService({ env, clock });
const second = await startTestService({ env: { ...env, DATABASE_URL: first.databaseUrl }, clock });
const { sql } = first;
const CLAIMS = 62;

/** Asks again after 503: on a busy machine, a claim may wait too long for the organization's figures. */
async function unlessBusy(ask: () => Promise<Reply<MatchResponse>>): Promise<Reply<MatchResponse>> {
  const reply = await ask();
  return reply.status === 503 ? unlessBusy(ask) : reply;
}

/**
 * Claims the tokens of a crowd's clicks from one address within a minute. More than 60 are a bot's; each server takes no
 * more than that many.
 */
async function crowd(address: string) {
  const account = await first.register();
  const appProfileId = await addApp(first, account.orgId, { android: { packageName: "com.example.app" } });
  const link = await first.createLink(account, { defaultUrl: "https://example.com/", appProfileId });
  const tokens: string[] = [];
  for (let visits = 1; visits <= CLAIMS; visits++) {
    // A token names its click by the millisecond.
    now++;
    const headers = { host: "match.example", "user-agent": PIXEL, [CLIENT_HEADER]: `10.77.${visits}.1` };
    const { headers: answered } = await first.visit(new URL(link.shortUrl).pathname, headers);
    const referrer = new URL(answered.get("location") ?? "").searchParams.get("referrer") ?? "";
    tokens.push(new URLSearchParams(referrer).get("match_token") ?? "");
  }
  await waitUntilDrained(first.service);
  await sql`update clicks set spam_score = 70, bot_reasons = '{crowd}' where org_id = ${account.orgId}`;
  const headers = { [CLIENT_HEADER]: address, "user-agent": "okhttp/4.12.0" };
  for (const [index, matchToken] of tokens.entries()) {
    now++;
    const server = index % 2 ? second : first;
    const claim = () => server.call<MatchResponse>("POST", "/api/v1/match", { body: { matchToken }, headers });
    expect((await unlessBusy(claim)).body.matched).toBe(true);
  }
  return { ...account, linkId: link._id };
}

/** Returns the installs without and with bots. */
async function installsOf({ orgId, token }: Account): Promise<[people: number, all: number]> {
  const found: object[] = [];
  await verifyFigures(sql, { span: {}, orgId, isRepairing: false, onDifference: (each) => found.push(each) });
  expect(found).toEqual([]);
  const ask = async (includeBots: boolean) => {
    const path = `/api/v1/organizations/${orgId}/analytics/overview?includeBots=${includeBots}`;
    return (await first.call<AnalyticsOverview>("GET", path, { token })).body.installs;
  };
  return [await ask(false), await ask(true)];
}

async function judge({ orgId, token, linkId }: Account & { linkId: string }, status: string) {
  const path = `/api/v1/organizations/${orgId}/analytics/abuse-queue/bulk`;
  const { body } = await first.call("POST", path, { token, body: { linkId, status } });
  expect(body).toEqual({ changed: CLAIMS, remaining: 0 });
}

describe("installs", () => {
  test("count as they did once their clicks were confirmed as abuse and given back", async () => {
    const ada = await crowd("10.78.0.1");
    expect(await installsOf(ada)).toEqual([60, 62]);
    for (const [status, installs] of [
      ["confirmed", [0, 0]],
      ["dismissed", [60, 62]],
      ["confirmed", [0, 0]],
      ["pending", [60, 62]],
    ] as const) {
      await judge(ada, status);
      expect([status, await installsOf(ada)]).toEqual([status, [...installs]]);
    }
  });

  test("follow verdicts as long as their clicks are kept, although their tokens are no longer valid", async () => {
    const ada = await crowd("10.78.0.2");
    expect(await installsOf(ada)).toEqual([60, 62]);
    const later = now + 92 * 86_400_000;
    const deleteOld = () => deleteOldClaims({ sql, now: later, signal: new AbortController().signal, batchRows: 10 });
    const left = async () => (await sql`select 1 from claims where org_id = ${ada.orgId}`).length;
    const [oldest] = await sql`select id from clicks where org_id = ${ada.orgId} order by occurred_at limit 1`;
    await sql`update clicks set spam_score = 0 where id = ${oldest?.id}`;
    await deleteOld();
    expect(await left()).toBe(CLAIMS - 1);
    await sql`update clicks set spam_score = 70 where id = ${oldest?.id}`;
    await judge(ada, "confirmed");
    expect(await installsOf(ada)).toEqual([1, 1]);
    await deleteOld();
    await judge(ada, "dismissed");
    expect(await installsOf(ada)).toEqual([60, 62]);
    await sql`delete from clicks where org_id = ${ada.orgId}`;
    await deleteOld();
    expect(await left()).toBe(0);
  });
});
