/** The response to an app that claims a match token, through either route. */
import { beforeEach, describe, expect, test } from "bun:test";
import { addApp } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { createMint, IPHONE, PIXEL, SECRET } from "@test/support/match";
import { CLIENT_HEADER, startTestService } from "@test/support/service";
import type { InstallAttributionInput, MatchResponse, Provider, TokenField } from "@/contract/match";

const START = Date.parse("2026-11-21T12:00:00.000Z");
const MINUTE = 60_000;
const DAY = 86_400_000;
const FORMER_SECRET = "the secret before this one, of enough length";
let now = START;
const service = await startTestService({
  env: { APP_SECRET: SECRET, APP_SECRET_PREVIOUS: FORMER_SECRET },
  clock: () => now,
});
const ada = await service.register();
const appProfileId = await addApp(service, ada.orgId, {
  ios: { appStoreId: "284882215" },
  android: { packageName: "com.example.app" },
});
const defaultUrl = "https://example.com/page";
const deepLinkPayload = { screen: "offer", offerId: 42 };
const link = await service.createLink(ada, { defaultUrl, appProfileId, deepLinkPayload, slug: "get" });
const mint = await createMint(service, () => now);

const UNMATCHED = { matched: false };
const MATCHED = {
  matched: true,
  installId: expect.stringMatching(/^[\da-f-]{36}$/),
  openId: expect.stringMatching(/^[\da-f-]{36}$/),
  deepLinkPayload,
  destinationUrl: defaultUrl,
};

const match = async (matchToken: string) => {
  const { status, body } = await service.call("POST", "/api/v1/match", { body: { matchToken } });
  expect(status).toBe(200);
  return body;
};
const attribute = async (input: InstallAttributionInput, userAgent = "okhttp/4.12.0") => {
  const options = { body: input, headers: { "user-agent": userAgent } };
  const { status, body } = await service.call<MatchResponse>("POST", "/api/v1/match/install-attribution", options);
  expect(status).toBe(200);
  return body;
};
const platformOf = async ({ openId }: MatchResponse) => {
  const [open] = await service.sql`select platform, source, is_bot as "isBot" from opens where id = ${openId ?? ""}`;
  return open;
};

beforeEach(() => {
  now = START;
});

describe("400", () => {
  const all = ["campaignToken", "ct", "installAttributionToken"];
  test.each<[string, object, string[]]>([
    ["no token", {}, all],
    ["a provider alone", { provider: "custom" }, all],
    ["two tokens", { ct: "a", campaignToken: "b" }, ["campaignToken", "ct"]],
    ["three tokens", { installAttributionToken: "a", campaignToken: "b", ct: "c" }, all],
    ["an unknown provider", { ct: "a", provider: "fingerprint" }, ["provider"]],
    ["an empty provider", { ct: "a", provider: "" }, ["provider"]],
    ["an empty token", { ct: "" }, ["ct"]],
    ["a token of 4,097 characters", { ct: "a".repeat(4097) }, ["ct"]],
  ])("for an install attribution with %s", async (_, body, fields) => {
    expectFailure(await service.call("POST", "/api/v1/match/install-attribution", { body }), 400, fields);
  });

  test("for a match without a token", async () => {
    expectFailure(await service.call("POST", "/api/v1/match", { body: {} }), 400, ["matchToken"]);
  });
});

test("429 after 60 claims a minute from one address, counted over both routes", async () => {
  const headers = { [CLIENT_HEADER]: "198.51.100.7" };
  const claim = (path: string, body: object) => service.call("POST", path, { body, headers });
  const claims = Array.from({ length: 60 }, (_, index) =>
    index % 2
      ? claim("/api/v1/match", { matchToken: "nothing" })
      : claim("/api/v1/match/install-attribution", { ct: "nothing" }),
  );
  expect(new Set((await Promise.all(claims)).map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await claim("/api/v1/match", { matchToken: await mint(link._id) });
  expectFailure(refused, 429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});

describe("{matched: false}", () => {
  test("for anything that is not a token of the service", async () => {
    const token = await mint(link._id);
    const first = token.startsWith("A") ? "B" : "A";
    const texts = ["nothing", token.slice(0, -1), `${token}A`, `${token}\n`, first + token.slice(1), "🦊".repeat(15)];
    for (const text of [...texts, await mint(link._id, {}, "yet another secret, of enough length")]) {
      expect([text, await match(text)]).toEqual([text, UNMATCHED]);
      expect([text, await attribute({ ct: text })]).toEqual([text, UNMATCHED]);
    }
    expect(await match(token)).toEqual(MATCHED);
  });

  test("for an unknown link, without writing anything", async () => {
    const claims = await service.sql`select count(*)::int as count from claims`;
    expect(await match(await mint(link._id, { linkNumber: 4_000_000_000 }))).toEqual(UNMATCHED);
    expect([...(await service.sql`select count(*)::int as count from claims`)]).toEqual([...claims]);
  });

  test.each([
    ["a match", 7 * DAY, match],
    ["an install attribution", 90 * DAY, (ct: string) => attribute({ ct })],
  ])("for %s later than %i ms after the minute of the click", async (_, validMs, claim) => {
    const [early, late] = [await mint(link._id), await mint(link._id)];
    now = START + validMs + 1;
    expect(await claim(late)).toEqual(UNMATCHED);
    now = START + validMs;
    expect(await claim(early)).toMatchObject({ matched: true });
  });

  test("for a token that was used more than a minute ago", async () => {
    const token = await mint(link._id);
    const answer = await match(token);
    now += MINUTE;
    expect(await match(token)).toEqual(answer);
    now += 1;
    expect(await match(token)).toEqual(UNMATCHED);
  });

  test("for a token that was used on the other route, immediately", async () => {
    const [one, other] = [await mint(link._id), await mint(link._id)];
    expect(await match(one)).toEqual(MATCHED);
    expect(await attribute({ installAttributionToken: one })).toEqual(UNMATCHED);
    expect(await attribute({ ct: other })).toMatchObject({ matched: true });
    expect(await match(other)).toEqual(UNMATCHED);
  });

  test("while the link is unsafe, without using up the token", async () => {
    const { _id } = await service.createLink(ada, { defaultUrl });
    const token = await mint(_id);
    await service.sql`update links set safety = '{"status":"unsafe","reasons":[]}' where id = ${_id}`;
    expect(await match(token)).toEqual(UNMATCHED);
    await service.sql`update links set safety = '{"status":"safe","reasons":[]}' where id = ${_id}`;
    expect(await match(token)).toMatchObject({ matched: true });
  });
});

describe("{matched: true}", () => {
  test("with the link's payload and web destination, and ids of an install and an open", async () => {
    expect(await match(await mint(link._id))).toEqual(MATCHED);
  });

  test("with the values of the token's own link", async () => {
    const other = await service.createLink(ada, { defaultUrl: "https://example.com/other" });
    const [one, another] = [await mint(link._id), await mint(other._id)];
    expect(await match(another)).toMatchObject({ destinationUrl: "https://example.com/other", deepLinkPayload: {} });
    expect(await match(one)).toEqual(MATCHED);
    const rows = await service.sql`select count(*)::int as count from claims where link_id = ${other._id}`;
    expect([...rows]).toEqual([{ count: 1 }]);
  });

  test("for a token of the previous APP_SECRET", async () => {
    expect(await match(await mint(link._id, {}, FORMER_SECRET))).toEqual(MATCHED);
  });

  test("again with the same response within a minute, even at the end of the seven days", async () => {
    const token = await mint(link._id);
    now = START + 7 * DAY;
    const answer = await match(token);
    now += MINUTE;
    expect(await match(token)).toEqual(answer);
  });

  test("with the link's web destination, whatever outcome the token names", async () => {
    const { _id } = await service.createLink(ada, {
      defaultUrl,
      rules: [
        { destinationUrl: "https://example.com/rule", conditions: { platform: ["ios"] } },
        { destinationUrl: "https://apps.apple.com/app/id284882215", conditions: { platform: ["ios"] } },
      ],
      splitTargets: [{ key: "a", destinationUrl: "https://example.com/target", weight: 1 }],
      utm: { source: "news" },
    });
    const to = async (kind: "rule" | "split" | "store" | "default", position: number) =>
      (await attribute({ ct: await mint(_id, { kind, position }) })).destinationUrl;
    for (const [kind, position] of [
      ["rule", 0],
      ["rule", 1],
      ["rule", 2],
      ["split", 0],
      ["split", 63],
      ["store", 0],
      ["default", 0],
    ] as const) {
      expect([kind, position, await to(kind, position)]).toEqual([kind, position, `${defaultUrl}?utm_source=news`]);
    }
  });

  test("for a link that has since become inactive, expired, limited, protected or deleted", async () => {
    const made = await service.createLink(ada, { defaultUrl, deepLinkPayload });
    const [one, other] = [await mint(made._id), await mint(made._id)];
    const path = `/api/v1/organizations/${ada.orgId}/links/${made._id}`;
    const body = { isActive: false, expiresAt: "2026-11-20T00:00:00Z", maxClicks: 1, password: "open sesame" };
    expect((await service.call("PATCH", path, { token: ada.token, body })).status).toBe(200);
    expect(await match(one)).toEqual(MATCHED);
    expect((await service.call("DELETE", path, { token: ada.token })).status).toBe(200);
    expect(await match(other)).toEqual(MATCHED);
  });

  test.each<[TokenField, Provider, string]>([
    ["installAttributionToken", "play_install_referrer", "android"],
    ["campaignToken", "app_store_campaign", "ios"],
    ["ct", "app_store_campaign", "ios"],
  ])(
    "by %s, with the provider %s and the platform %s unless the app names others",
    async (field, provider, platform) => {
      const silent = await attribute({ [field]: await mint(link._id) });
      expect(silent).toEqual({ ...MATCHED, installAttributionProvider: provider });
      expect(await platformOf(silent)).toEqual({ platform, source: "deferred", isBot: false });
      const told = await attribute({ [field]: await mint(link._id), provider: "custom" }, IPHONE);
      expect(told.installAttributionProvider).toBe("custom");
      expect(await platformOf(told)).toMatchObject({ platform: "ios" });
      const pixel = await attribute({ [field]: await mint(link._id), provider: "clipboard" }, PIXEL);
      expect(await platformOf(pixel)).toMatchObject({ platform: "android" });
    },
  );

  test.each<[string, (token: string) => string]>([
    ["as it is", (token) => `match_token=${token}&utm_source=news&utm_medium=mail`],
    ["with the token behind others", (token) => `utm_source=google-play&utm_medium=organic&match_token=${token}`],
    ["percent-encoded", (token) => encodeURIComponent(`match_token=${token}&utm_source=a b&utm_term=100%25`)],
    ["percent-encoded twice", (token) => encodeURIComponent(encodeURIComponent(`utm_source=x&match_token=${token}`))],
    ["with another token behind", (token) => `match_token=${token}&match_token=another`],
    ["with malformed escapes", (token) => `utm_source=%zz&match_token=${token}`],
  ])("by a whole Play referrer %s", async (_, referrer) => {
    expect(await attribute({ installAttributionToken: referrer(await mint(link._id)) })).toMatchObject({
      matched: true,
      installAttributionProvider: "play_install_referrer",
    });
  });
});
