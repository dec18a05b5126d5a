import { expect, test } from "bun:test";
import { KnownValues } from "@/figures/values";

const [AT, DE, NOWHERE] = [
  { code: 1, value: "AT" },
  { code: 1, value: "DE" },
  { code: 1, value: "XX" },
] as const;
const NUMBERS = new Map([
  ["AT", 7],
  ["DE", 8],
]);

/** A database that responds when the test releases it. */
function database() {
  let release = Promise.resolve();
  const asked: string[][] = [];
  return {
    asked,
    hold: (until: Promise<void>) => {
      release = until;
    },
    async run<Row>(_: string, parameters: readonly unknown[] = []): Promise<Row[]> {
      const values = String(parameters[1]).replace(/[{}"]/g, "").split(",");
      asked.push(values);
      await release;
      return values.flatMap((value, index) => {
        const id = NUMBERS.get(value);
        return id === undefined ? [] : [{ position: String(index + 1), id } as Row];
      });
    },
  };
}

test("a lookup returns its numbers even if all known ones are forgotten in the meantime", async () => {
  const known = new KnownValues();
  const { run, hold } = database();
  await known.find(run, [AT]);
  const held = Promise.withResolvers<void>();
  hold(held.promise);
  const looking = known.lookUp(run, [AT, DE, NOWHERE]);
  known.forget();
  held.resolve();
  const idOf = await looking;
  expect(["AT", "DE", "XX"].map((value) => idOf(1, value))).toEqual([7, 8, undefined]);
});

test("known values are not queried again, and forgotten ones are", async () => {
  const known = new KnownValues();
  const { run, asked } = database();
  const values = [AT, DE];
  await known.lookUp(run, values);
  await known.lookUp(run, values);
  known.forget();
  await known.lookUp(run, values);
  expect(asked).toEqual([
    ["AT", "DE"],
    ["AT", "DE"],
  ]);
});
