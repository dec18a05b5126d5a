import { expect, test } from "bun:test";
import { addHash, createSketch } from "@/figures/uniques";
import { addGroup, addSketch, createUnit, differencesOf } from "@/figures/verify/unit-figures";
import { BatchValues } from "@/figures/write/batch-values";

const FORMER_PRECISION = 12;
const keyOf = (visitor: number) => BigInt(Bun.hash.wyhash(`visitor ${visitor}`));
const keys = (count: number) => Array.from({ length: count }, (_, visitor) => keyOf(visitor));

function stored(precision: number, count: number) {
  const sketch = createSketch(precision);
  for (const key of keys(count)) addHash(sketch, key);
  const unit = createUnit();
  addSketch(unit, "link", false, sketch);
  return unit;
}

function recounted(count: number) {
  const unit = createUnit();
  const tally = { clicks: 0, opens: 0, values: new Uint32Array(), counts: new Int32Array() };
  const [people, bots] = [
    { ...tally, visitors: BigUint64Array.from(keys(count)) },
    { ...tally, visitors: new BigUint64Array() },
  ];
  addGroup(unit, { orgId: "org", linkId: "link", start: 0, people, bots, lastClickAt: 0 }, new BatchValues());
  return unit;
}

test.each([300, 1_000, 3_000])(
  "%i visitors stored by an earlier release match a recount of their clicks, and no other",
  (count) => {
    expect(differencesOf(stored(FORMER_PRECISION, count), recounted(count))).toEqual([]);
    expect(differencesOf(stored(FORMER_PRECISION, count), recounted(count + 200))).toHaveLength(1);
    expect(differencesOf(stored(FORMER_PRECISION, count), createUnit())).toHaveLength(1);
  },
);
