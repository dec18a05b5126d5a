/**
 * Concurrent verdicts, also while clicks of the same hour are being written: each is applied once, and none is lost.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BATCH_STEPS } from "@/clicks/writer/batch";
import { REVIEW_STATUSES } from "@/contract/analytics/abuse";
import { recountedFigures, storedFigures } from "./recount";
import { openTraffic } from "./traffic";

let traffic: Awaited<ReturnType<typeof openTraffic>>;
beforeAll(async () => {
  traffic = await openTraffic();
});
afterAll(() => traffic.close());

const suspect = (visitor: bigint, minute = 10) => ({ at: `2026-11-10T10:${minute}:00Z`, visitor, isSuspect: true });

async function expectAgreement({ org }: { org: string }) {
  expect(await storedFigures(traffic.sql, org)).toEqual(await recountedFigures(traffic.sql, org));
}

async function auditsOf(org: string) {
  return traffic.sql`select changes from audit_logs where org_id = ${org} and action = 'abuse.review' order by id`;
}

describe("simultaneous verdicts", () => {
  test("on one click are applied one after another", async () => {
    const scene = await traffic.workspace();
    const write = await scene.server();
    const [id = ""] = await write([suspect(1n), suspect(1n), suspect(2n)]);
    const statuses = Array.from({ length: 12 }, (_, index) => REVIEW_STATUSES[(index * 7 + 1) % 3] ?? "pending");
    await Promise.all(statuses.map((status) => scene.review(id, status)));
    await expectAgreement(scene);
    const audits = await auditsOf(scene.org);
    for (const [index, { changes }] of audits.entries()) {
      expect(changes.status.from).toBe(index === 0 ? "pending" : audits[index - 1]?.changes.status.to);
    }
  });

  test("that are equal are applied and logged once", async () => {
    const scene = await traffic.workspace();
    const [id = ""] = await (await scene.server())([suspect(1n)]);
    const answers = await Promise.all(Array.from({ length: 8 }, () => scene.review(id, "confirmed")));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await auditsOf(scene.org)).toHaveLength(1);
    expect((await scene.overview({ includeBots: true })).totalClicks).toBe(0);
    await expectAgreement(scene);
  });
});

describe("a click writer", () => {
  test("does not restore a removed visitor from its memory", async () => {
    const scene = await traffic.workspace();
    const write = await scene.server();
    const [first = ""] = await write([suspect(1n), suspect(2n)]);
    await scene.review(first, "confirmed");
    await write([suspect(3n)]);
    await expectAgreement(scene);
    expect((await scene.overview({ includeBots: true })).uniqueVisitors).toBe(2);
  });

  test("counts a visitor again who comes back after the verdict", async () => {
    const scene = await traffic.workspace();
    const write = await scene.server();
    const [first = ""] = await write([suspect(1n)]);
    await scene.review(first, "confirmed");
    await write([suspect(1n)]);
    await expectAgreement(scene);
    expect((await scene.overview({ includeBots: true })).uniqueVisitors).toBe(1);
  });

  test("keeps a visitor who has another click in a batch that is in progress during the verdict", async () => {
    const scene = await traffic.workspace();
    const write = await scene.server();
    const [first = ""] = await write([suspect(1n), suspect(2n)]);
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const waits = async () => {
      reached.resolve();
      await released.promise;
    };
    const batch = write([suspect(1n)], [...BATCH_STEPS, waits]);
    await reached.promise;
    const review = scene.review(first, "confirmed");
    await Bun.sleep(100);
    released.resolve();
    await Promise.all([batch, review]);
    await expectAgreement(scene);
    expect((await scene.overview({ includeBots: true })).uniqueVisitors).toBe(2);
  });

  test("and reviewers can work on the same hour at the same time", async () => {
    const scene = await traffic.workspace();
    const servers = [await scene.server(), await scene.server()];
    const waiting: string[] = [];
    let isWriting = true;
    const writing = servers.map(async (write, index) => {
      for (let batch = 0; batch < 25; batch++) {
        const visitors = [1, 2, 3, 4].map((step) => BigInt((batch * step + index) % 6));
        waiting.push(...(await write(visitors.map((visitor) => suspect(visitor, 10 + (batch % 5))))));
        await Bun.sleep(2);
      }
    });
    const reviewing = [0, 1, 2].map(async (reviewer) => {
      for (let turn = 0; isWriting || waiting.length > 0; turn++) {
        const id = waiting.shift();
        if (id) await scene.review(id, REVIEW_STATUSES[(turn + reviewer) % 3] ?? "pending");
        else await Bun.sleep(2);
      }
    });
    await Promise.all(writing);
    isWriting = false;
    await Promise.all(reviewing);
    await expectAgreement(scene);
  }, 240_000);
});

describe("beyond exact counting", () => {
  test("visitors leave the registers when confirmed as abuse, and return when that is undone", async () => {
    const scene = await traffic.workspace();
    const write = await scene.server();
    const visitors = Array.from({ length: 2_500 }, (_, index) => Bun.hash.wyhash(`visitor ${index}`));
    const ids = await write(visitors.map((visitor) => suspect(visitor)));
    for (const id of ids.slice(0, 20)) await scene.review(id, "confirmed");
    await expectAgreement(scene);
    for (const id of ids.slice(0, 10)) await scene.review(id, "dismissed");
    for (const id of ids.slice(10, 15)) await scene.review(id, "pending");
    await expectAgreement(scene);
  });
});
