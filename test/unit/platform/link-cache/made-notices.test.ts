/** Which new links are told together, and what becomes of those whose statement fails. */
import { expect, test } from "bun:test";
import type { LinkChange } from "@/platform/link-cache/changes";
import { MadeNotices } from "@/platform/link-cache/made-notices";

const linkOf = (id: number): LinkChange => ({ id: String(id), version: 1, key: `go.example.com/${id}` });

/** Statements that end when the test says so. */
function heldNotices() {
  const asked: { ids: string[]; settle: PromiseWithResolvers<void> }[] = [];
  const failures: unknown[] = [];
  const notices = new MadeNotices({
    notify(changes) {
      const settle = Promise.withResolvers<void>();
      asked.push({ ids: changes.map(({ id }) => id), settle });
      return settle.promise;
    },
    onFailed: (error) => failures.push(error),
  });
  return { notices, asked, failures };
}

test("the first is told at once, and what is made meanwhile goes together with the next statement", async () => {
  const { notices, asked } = heldNotices();
  for (const id of [1, 2, 3]) notices.add([linkOf(id)]);
  expect(asked.map(({ ids }) => ids)).toEqual([["1"]]);
  asked[0]?.settle.resolve();
  await Bun.sleep(0);
  expect(asked.map(({ ids }) => ids)).toEqual([["1"], ["2", "3"]]);
  asked[1]?.settle.resolve();
  await Bun.sleep(0);
  notices.add([linkOf(4)]);
  expect(asked.at(-1)?.ids).toEqual(["4"]);
});

test("a statement that fails is reported, and the next is sent all the same", async () => {
  const { notices, asked, failures } = heldNotices();
  notices.add([linkOf(1)]);
  notices.add([linkOf(2)]);
  asked[0]?.settle.reject(new Error("away"));
  await Bun.sleep(0);
  expect([failures.length, asked.at(-1)?.ids]).toEqual([1, ["2"]]);
});

test("many are told in several statements", async () => {
  const { notices, asked } = heldNotices();
  notices.add(Array.from({ length: 1_200 }, (_, id) => linkOf(id)));
  for (let place = 0; place < 3; place++) {
    expect(asked).toHaveLength(place + 1);
    asked[place]?.settle.resolve();
    await Bun.sleep(0);
  }
  expect(asked.map(({ ids }) => ids.length)).toEqual([500, 500, 200]);
});
