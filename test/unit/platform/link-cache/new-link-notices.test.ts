/** Which new links are announced together, and what happens if they are too many or their statement fails. */
import { expect, test } from "bun:test";
import { livePromises } from "@test/support/memory/live-promises";
import { ANY_LINK_CREATED, type LinkChange } from "@/platform/link-cache/changes";
import { NewLinkNotices } from "@/platform/link-cache/new-link-notices";

const linkOf = (id: number): LinkChange => ({ id: String(id), version: 1, key: `go.example.com/${id}` });

/** Notices whose statements end when the test ends them. */
function heldNotices() {
  const asked: { ids: string[]; settle: PromiseWithResolvers<void> }[] = [];
  const replaced: { links: number; error?: unknown }[] = [];
  const notices = new NewLinkNotices({
    notify(changes) {
      const settle = Promise.withResolvers<void>();
      asked.push({ ids: changes.map(({ id }) => id), settle });
      return settle.promise;
    },
    onReplaced: (links, error) => replaced.push({ links, error }),
    retryAfterMs: 0,
  });
  /** Waits for the statement at this place and returns it. */
  const sent = async (place: number) => {
    while (asked.length <= place) await Bun.sleep(0);
    return asked[place];
  };
  return { notices, asked, replaced, sent };
}

const linksOf = (count: number) => Array.from({ length: count }, (_, id) => linkOf(id));

test("the first link is announced immediately, and links created in the meantime by the next statement", async () => {
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

test("a failed statement is reported, and one notice for all its links is sent until it succeeds", async () => {
  const { notices, asked, replaced, sent } = heldNotices();
  const error = new Error("away");
  notices.add([linkOf(1), linkOf(2)]);
  notices.add([linkOf(3)]);
  asked[0]?.settle.reject(error);
  expect((await sent(1))?.ids).toEqual([ANY_LINK_CREATED.id]);
  asked[1]?.settle.reject(error);
  expect((await sent(2))?.ids).toEqual([ANY_LINK_CREATED.id]);
  asked[2]?.settle.resolve();
  expect((await sent(3))?.ids).toEqual(["3"]);
  expect([replaced, notices.replaced]).toEqual([[{ links: 2, error }], 2]);
});

test("links beyond the queue limit are counted, and announced by one notice for all before later links", async () => {
  const { notices, asked, replaced, sent } = heldNotices();
  notices.add([linkOf(0)]);
  notices.add(linksOf(20_000));
  notices.add([linkOf(1)]);
  notices.add([linkOf(2)]);
  expect([replaced, notices.replaced]).toEqual([[{ links: 20_001, error: undefined }], 20_001]);
  asked[0]?.settle.resolve();
  expect((await sent(1))?.ids).toEqual([ANY_LINK_CREATED.id]);
  asked[1]?.settle.resolve();
  expect((await sent(2))?.ids).toEqual(["2"]);
});

test("a first batch beyond the queue limit is announced by one notice for all", async () => {
  const { notices, asked } = heldNotices();
  notices.add(linksOf(20_001));
  expect(asked.map(({ ids }) => ids)).toEqual([[ANY_LINK_CREATED.id]]);
});

test("closing waits until queued links are announced; a second closing does not wait, and late links are still sent", async () => {
  const { notices, asked, sent } = heldNotices();
  notices.add([linkOf(1)]);
  notices.add([linkOf(2)]);
  let isClosed = false;
  const closing = notices.close().then(() => {
    isClosed = true;
  });
  asked[0]?.settle.resolve();
  const last = await sent(1);
  expect([last?.ids, isClosed]).toEqual([["2"], false]);
  last?.settle.resolve();
  await closing;
  await notices.close();
  notices.add([linkOf(3)]);
  expect(asked.at(-1)?.ids).toEqual(["3"]);
});

test("closing does not retry a failed statement", async () => {
  const { notices, asked } = heldNotices();
  notices.add([linkOf(1)]);
  const closing = notices.close();
  asked[0]?.settle.reject(new Error("away"));
  await closing;
  expect(asked).toHaveLength(1);
});

test("an empty batch sends nothing, and does not delay later links", () => {
  const { notices, asked } = heldNotices();
  notices.add([]);
  notices.add([linkOf(1)]);
  expect(asked.map(({ ids }) => ids)).toEqual([["1"]]);
});

test("many links are announced in several statements", async () => {
  const { notices, asked } = heldNotices();
  notices.add(linksOf(1_200));
  for (let place = 0; place < 3; place++) {
    expect(asked).toHaveLength(place + 1);
    asked[place]?.settle.resolve();
    await Bun.sleep(0);
  }
  expect(asked.map(({ ids }) => ids.length)).toEqual([500, 500, 200]);
});

test("in bulk mode, one notice announces all links: immediately for the first, later for those since the last", async () => {
  const asked: string[][] = [];
  const notices = new NewLinkNotices({
    notify: async (changes) => void asked.push(changes.map(({ id }) => id)),
    onReplaced: () => {},
    areMany: true,
    manyEveryMs: 3_600_000,
  });
  notices.add([]);
  expect(asked).toEqual([]);
  notices.add(linksOf(1_000));
  expect(asked).toEqual([[ANY_LINK_CREATED.id]]);
  notices.add(linksOf(1_000));
  notices.add(linksOf(1_000));
  await Bun.sleep(0);
  expect([asked.length, notices.replaced]).toEqual([1, 0]);
  await notices.close();
  expect(asked).toEqual([[ANY_LINK_CREATED.id], [ANY_LINK_CREATED.id]]);
});

test("the pauses between notices leak no memory", async () => {
  const turns = 1_000;
  const done = Promise.withResolvers<void>();
  let sent = 0;
  const notices: NewLinkNotices = new NewLinkNotices({
    async notify() {
      await Promise.resolve();
      if (++sent === turns) done.resolve();
      else notices.add([linkOf(sent)]);
    },
    onReplaced: () => undefined,
    areMany: true,
    manyEveryMs: 0,
  });
  const before = livePromises();
  notices.add([linkOf(0)]);
  await done.promise;
  expect(livePromises() - before).toBeLessThan(turns / 10);
  await notices.close();
});
