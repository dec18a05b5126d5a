import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import type { ImportOptions } from "@/contract/links/imports";
import type { OrgId } from "@/core/ids";
import { HttpError } from "@/http/errors";
import { checkedSlug } from "@/modules/addresses/service";
import type { Candidate } from "@/modules/imports/job/candidates";
import { DryRun } from "@/modules/imports/job/dry-run";
import { type RowOutcome, settleBatch } from "@/modules/imports/job/settle";
import type { Tx } from "@/platform/db/tx";

const ORG = "019ab000-0000-7000-8000-000000000001" as OrgId;
const DOMAIN = { id: "019ab000-0000-7000-8000-000000000002", hostname: "go.example.com", orgId: ORG };
const BATCH = 1_000;
const BYTES_PER_RECORD_MAX = 300;
/** No link exists yet. */
const tx = { execute: async () => [] } as unknown as Tx;
const room = async () => ({ left: Number.POSITIVE_INFINITY, refusal: () => expect.unreachable() });

test("a dry run remembers each record in a few hundred bytes", async () => {
  const dryRun = new DryRun(ORG, { room });
  await plan(dryRun, 0);
  const before = memory();
  const batches = 100;
  for (let batch = 1; batch <= batches; batch++) await plan(dryRun, batch);
  expect((memory() - before) / (batches * BATCH)).toBeLessThan(BYTES_PER_RECORD_MAX);
  const [again] = await plan(dryRun, 1);
  expect(again).toMatchObject({ result: "unchanged" });
});

test.each([
  ["the same path", "sLug-7", { result: "skipped", why: "the address is already used" }],
  ["a path that differs by case", "SLUG-7", { result: "collision", why: "differs only by case from a/sLug-7" }],
  ["another path", "slug-7000", { result: "created" }],
])("a dry run tells %s from one many batches before", async (_, slug, outcome) => {
  const dryRun = new DryRun(ORG, { room });
  for (let batch = 0; batch < 5; batch++) await plan(dryRun, batch);
  const one = { ...candidate(9_000), ...addressOf(slug), sourceId: `other/${slug}` };
  expect(await settleBatch(tx, ORG, options("skip"), [one], dryRun)).toMatchObject([outcome]);
});

test("a dry run tells an address that looks like one many batches before, unless that was refused", async () => {
  const dryRun = new DryRun(ORG, { room });
  const lookingLike = (number: number, look: string): Candidate => ({
    ...{ ...candidate(number), look: `${DOMAIN.id} ${look}`, sourceId: `other/${number}` },
  });
  const settled = await settleBatch(tx, ORG, options("skip"), [lookingLike(8_000, "one")], dryRun);
  await dryRun.plan(tx, settled);
  for (let batch = 0; batch < 5; batch++) await plan(dryRun, batch);
  const refused = { ...lookingLike(8_001, "other"), input: { ...candidate(7).input } };
  await dryRun.plan(tx, await settleBatch(tx, ORG, options("skip"), [refused], dryRun));
  const last = [lookingLike(8_002, "one"), lookingLike(8_003, "other")];
  expect(await settleBatch(tx, ORG, options("skip"), last, dryRun)).toMatchObject([
    { result: "skipped", why: expect.stringContaining("looks too similar") },
    { result: "created" },
  ]);
});

test("a dry run refuses an external id that a record many batches before has", async () => {
  const dryRun = new DryRun(ORG, { room });
  for (let batch = 0; batch < 5; batch++) await plan(dryRun, batch);
  const one = { ...candidate(9_000), input: { ...candidate(7).input } };
  const settled = await settleBatch(tx, ORG, options("skip"), [one], dryRun);
  await dryRun.plan(tx, settled);
  expect(settled).toMatchObject([{ result: "refused" }]);
  // A refused record leaves its address to later ones.
  const next = { ...candidate(9_000), sourceId: "other/again" };
  expect(await settleBatch(tx, ORG, options("skip"), [next], dryRun)).toMatchObject([{ result: "created" }]);
});

test("a record for which there is no room leaves its address to later ones", async () => {
  const refusal = () => new HttpError(429, "There is no room");
  const dryRun = new DryRun(ORG, { room: async () => ({ left: 500, refusal }) });
  const settled = await plan(dryRun, 0);
  expect(settled.filter(({ result }) => result === "refused")).toHaveLength(500);
  const again = (number: number) => ({ ...candidate(number), sourceId: `other/${number}` });
  const later = await settleBatch(tx, ORG, options("skip"), [again(7), again(999)], dryRun);
  await dryRun.plan(tx, later);
  expect(later).toMatchObject([{ result: "skipped" }, { result: "refused" }]);
});

async function plan(dryRun: DryRun, batch: number): Promise<RowOutcome[]> {
  const candidates = Array.from({ length: BATCH }, (_, index) => candidate(batch * BATCH + index));
  const settled = await settleBatch(tx, ORG, options("skip"), candidates, dryRun);
  await dryRun.plan(tx, settled);
  return settled;
}

function candidate(number: number): Candidate {
  const slug = `sLug-${number}`;
  return {
    ...{ row: number + 1, part: 0, address: `old.example.com/a/${slug}`, clicksBefore: null, dropped: [] },
    ...{
      clicksByDay: undefined,
      admittedVisits: undefined,
      lostPassword: undefined,
      exportOf: undefined,
      isOwnExport: false,
    },
    input: { defaultUrl: "https://example.com/", externalId: `product-${number}-${"x".repeat(20)}` },
    sourceId: `old.example.com/a/${slug}`,
    ...addressOf(slug),
  };
}

function addressOf(slug: string): Pick<Candidate, "key" | "look" | "draft"> {
  const rowAt = () => ({ pathPrefix: "a" });
  const draft = { domain: DOMAIN, slug: checkedSlug(slug), rowAt } as unknown as Candidate["draft"];
  return { key: `${DOMAIN.id} a/${slug.toLowerCase()}`, look: null, draft };
}

const options = (onConflict: ImportOptions["onConflict"]): ImportOptions => ({
  ...{ source: "csv", mapping: {}, domainMap: {}, onConflict, dryRun: true, notify: false },
});

function memory(): number {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return heapSize + extraMemorySize;
}
