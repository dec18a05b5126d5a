/** Where an install leads if the link's rules or split targets were rearranged between the click and the claim. */
import { expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { PIXEL } from "@test/support/match";
import { startTestService } from "@test/support/service";
import type { Link, LinkInput } from "@/contract/links/links";
import type { MatchResponse } from "@/contract/match";

const service = await startTestService();
const ada = await service.register();

const defaultUrl = "https://example.com/page";
const android = {
  destinationUrl: "https://play.google.com/store/apps/details?id=com.example.app",
  conditions: { platform: ["android" as const] },
};
const desktop = {
  destinationUrl: "https://example.com/desktop",
  conditions: { platform: ["desktop" as const] },
};
const store = { key: "store", destinationUrl: android.destinationUrl, weight: 1 };
const other = { key: "other", destinationUrl: "https://example.com/other", weight: 1 };

const change = async ({ _id }: Link, body: Partial<LinkInput>): Promise<void> => {
  const path = `/api/v1/organizations/${ada.orgId}/links/${_id}`;
  expect((await service.call("PATCH", path, { token: ada.token, body })).status).toBe(200);
};

/** Visits the link from a phone, and returns the referrer that the store gets. */
async function referrerOf(link: Link): Promise<string> {
  const response = await service.visit(link, { "user-agent": PIXEL });
  const referrer = new URL(response.headers.get("location") ?? "").searchParams.get("referrer");
  expect(referrer).toMatch(/^match_token=[\w-]{30}$/);
  await waitUntilDrained(service.service);
  return referrer ?? "";
}

async function match(referrer: string): Promise<MatchResponse> {
  const body = { matchToken: referrer.replace("match_token=", "") };
  return (await service.call<MatchResponse>("POST", "/api/v1/match", { body })).body;
}

async function attribute(referrer: string): Promise<MatchResponse> {
  const body = { installAttributionToken: referrer };
  return (await service.call<MatchResponse>("POST", "/api/v1/match/install-attribution", { body })).body;
}

interface Rearranged {
  before: Partial<LinkInput>;
  after: Partial<LinkInput>;
}

const REARRANGED: [name: string, Rearranged][] = [
  ["a rule is inserted before the visit's", { before: { rules: [android] }, after: { rules: [desktop, android] } }],
  ["the visit's rule is removed", { before: { rules: [android, desktop] }, after: { rules: [desktop] } }],
  [
    "a split target is inserted before the visit's",
    { before: { splitTargets: [store] }, after: { splitTargets: [other, store] } },
  ],
  [
    "the visit's split target is removed",
    { before: { splitTargets: [store, { ...other, isActive: false }] }, after: { splitTargets: [other] } },
  ],
];

test.each(REARRANGED)("a claim leads where the visit did on the web, although %s", async (_, { before, after }) => {
  const link = await service.createLink(ada, { defaultUrl, ...before });
  const [first, second] = [await referrerOf(link), await referrerOf(link)];
  await change(link, after);
  expect(await match(first)).toMatchObject({ matched: true, destinationUrl: defaultUrl });
  expect(await attribute(second)).toMatchObject({ matched: true, destinationUrl: defaultUrl });
});
