/** Bulk verdicts: every figure is updated exactly, in steps, and only once. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AbuseBulkInput } from "@/contract/analytics/abuse";
import { recountedFigures, storedFigures } from "./recount";
import { type OwnClick, openTraffic } from "./traffic";

let traffic: Awaited<ReturnType<typeof openTraffic>>;
beforeAll(async () => {
  traffic = await openTraffic();
});
afterAll(() => traffic.close());

const [VENUE, FARM] = [1n, 0xfedcba9876543210n];
const VENUE_ID = "0000000000000001";
const FARM_ID = "fedcba9876543210";
/** More clicks than one step reviews. */
const FARMED = 5_200;

/** Creates a crowd at a venue, a farm of made-up visitors over three hours, some people and a crawler. */
async function begin(farmed = 60) {
  const scene = await traffic.workspace();
  const second = await scene.addLink();
  const [first, other] = [await scene.server(), await scene.server()];
  const at = (index: number) => new Date(Date.UTC(2026, 10, 10, 10) + index * 2_000).toISOString();
  const from = (count: number, click: (index: number) => Partial<OwnClick>): OwnClick[] =>
    Array.from({ length: count }, (_, index) => ({ at: at(index), visitor: BigInt(index), ...click(index) }));
  await first([
    ...from(40, (index) => ({ isCrowd: true, address: VENUE, visitor: BigInt(index % 30), country: "AT" })),
    ...from(10, (index) => ({ visitor: BigInt(index), country: "AT" })),
    ...from(5, () => ({ visitor: 900n, isBot: true })),
  ]);
  const farm = from(farmed, (index) => ({
    ...{ isSuspect: true, address: BigInt.asIntN(64, FARM), visitor: BigInt(1_000 + (index % 700)) },
    link: index % 3 === 0 ? second : undefined,
  }));
  await other(farm.slice(0, farmed / 2));
  await first(farm.slice(farmed / 2));
  /** Reviews until nothing remains: on a busy machine the five seconds of one request may not be enough. */
  const judge = async (input: AbuseBulkInput) => {
    let changed = 0;
    for (;;) {
      const judged = await scene.abuse.reviewAll(scene.tenant, input);
      changed += judged.changed;
      if (judged.remaining === 0 || judged.changed === 0) return { ...judged, changed };
    }
  };
  return { ...scene, second, judge };
}

async function expectAgreement({ org }: { org: string }) {
  const stored = await storedFigures(traffic.sql, org);
  expect(stored).toEqual(await recountedFigures(traffic.sql, org));
  return stored;
}

type Scene = Awaited<ReturnType<typeof begin>>;
const clicksOf = async ({ overview }: Scene) => {
  const [people, all] = [await overview(), await overview({ includeBots: true })];
  return [people.totalClicks, people.uniqueVisitors, all.totalClicks, all.uniqueVisitors];
};

describe("all clicks from an address", () => {
  test("are dismissed, confirmed and reset in steps, and every figure follows", async () => {
    const scene = await begin(FARMED);
    const before = await expectAgreement(scene);
    expect(await clicksOf(scene)).toEqual([50, 30, 50 + 5 + FARMED, 731]);
    expect(await scene.judge({ addressId: FARM_ID, status: "dismissed" })).toEqual({ changed: FARMED, remaining: 0 });
    await expectAgreement(scene);
    expect(await clicksOf(scene)).toEqual([50 + FARMED, 730, 50 + 5 + FARMED, 731]);
    expect(await scene.judge({ addressId: FARM_ID, status: "dismissed" })).toEqual({ changed: 0, remaining: 0 });
    expect(await scene.judge({ addressId: FARM_ID, status: "confirmed" })).toEqual({ changed: FARMED, remaining: 0 });
    await expectAgreement(scene);
    expect(await clicksOf(scene)).toEqual([50, 30, 55, 31]);
    expect(await scene.judge({ addressId: FARM_ID, status: "pending" })).toEqual({ changed: FARMED, remaining: 0 });
    expect(await expectAgreement(scene)).toEqual(before);
  });

  test("that are a crowd count until they are confirmed as abuse, and again once that is undone", async () => {
    const scene = await begin();
    await scene.judge({ addressId: VENUE_ID, status: "confirmed", note: "Paid visits" });
    expect(await clicksOf(scene)).toEqual([10, 10, 75, 71]);
    await expectAgreement(scene);
    await scene.judge({ addressId: VENUE_ID, status: "pending" });
    expect(await clicksOf(scene)).toEqual([50, 30, 115, 91]);
    await expectAgreement(scene);
  });
});

test("one link's clicks can be reviewed within a range, and without changing earlier verdicts", async () => {
  const scene = await begin();
  const [one] = (await scene.abuse.list(scene.tenant, { linkId: scene.second })).items;
  await scene.review(one?.clickId ?? "", "confirmed");
  const outcome = await scene.judge({ linkId: scene.second, current: "pending", status: "dismissed", note: "A fair" });
  expect(outcome).toEqual({ changed: 19, remaining: 0 });
  await expectAgreement(scene);
  expect((await scene.abuse.list(scene.tenant, { status: "confirmed" })).total).toBe(1);
  const first = { linkId: scene.link, from: "2026-11-10T10:00:00Z", to: "2026-11-10T10:01:00Z" };
  expect(await scene.judge({ ...first, status: "confirmed" })).toEqual({ changed: 50, remaining: 0 });
  await expectAgreement(scene);
  expect((await scene.abuse.list(scene.tenant, { ...first, status: "confirmed" })).total).toBe(50);
});

test("simultaneous bulk and single verdicts and new clicks leave consistent figures", async () => {
  const scene = await begin();
  const write = await scene.server();
  const { items } = await scene.abuse.list(scene.tenant, { limit: 5 });
  await Promise.all([
    scene.abuse.reviewAll(scene.tenant, { addressId: FARM_ID, status: "dismissed" }),
    scene.abuse.reviewAll(scene.tenant, { linkId: scene.link, status: "confirmed" }),
    ...items.map(({ clickId }) => scene.review(clickId, "pending")),
    write([{ at: "2026-11-10T10:00:01Z", visitor: 5n }]),
  ]);
  await expectAgreement(scene);
});

test("the audit log records each step", async () => {
  const scene = await begin();
  await scene.judge({ addressId: FARM_ID, status: "dismissed", note: "A fair" });
  const audits = await traffic.sql`
    select action, resource_type, resource_id, changes from audit_logs where org_id = ${scene.org}`;
  expect(audits.map((audit) => ({ ...audit }))).toEqual([
    {
      action: "abuse.bulk_review",
      resource_type: "address",
      resource_id: FARM_ID,
      changes: { status: { from: "pending", to: "dismissed" }, clicks: 60, note: "A fair" },
    },
  ]);
});

test("groups list clicks by address or by link, the largest first", async () => {
  const scene = await begin();
  const byAddress = await scene.abuse.groups(scene.tenant, { by: "address" });
  expect(byAddress).toMatchObject({ total: 2, page: 1, totalPages: 1 });
  expect(byAddress.groups).toMatchObject([
    {
      addressId: FARM_ID,
      link: null,
      clicks: 60,
      visitors: 60,
      links: 2,
      addresses: 1,
      reasons: ["repeat"],
      score: 80,
    },
    {
      addressId: VENUE_ID,
      link: null,
      clicks: 40,
      visitors: 30,
      links: 1,
      addresses: 1,
      reasons: ["crowd"],
      score: 70,
    },
  ]);
  const byLink = await scene.abuse.groups(scene.tenant, { by: "link", limit: 1 });
  expect(byLink).toMatchObject({ total: 2, totalPages: 2 });
  expect(byLink.groups).toMatchObject([
    { addressId: null, link: { _id: scene.link }, clicks: 80, addresses: 2, reasons: ["crowd", "repeat"], score: 80 },
  ]);
  const past = { groups: [], total: 2, totalPages: 2, page: 3 };
  expect(await scene.abuse.groups(scene.tenant, { by: "link", limit: 1, page: 3 })).toEqual({ ...past, limit: 1 });
  expect(byLink.groups[0]?.firstAt).toBe("2026-11-10T10:00:00.000Z");
  await scene.judge({ addressId: FARM_ID, status: "dismissed" });
  expect((await scene.abuse.groups(scene.tenant, { by: "address" })).total).toBe(1);
  expect((await scene.abuse.groups(scene.tenant, { by: "address", status: "all" })).total).toBe(2);
});
