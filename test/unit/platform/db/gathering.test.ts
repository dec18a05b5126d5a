import { describe, expect, test } from "bun:test";
import { type GatheringOptions, gatherPieces } from "@/platform/db/gathering";

interface Call {
  pieces: readonly string[];
  end(): void;
  fail(message: string): void;
}

/** Calls end when the test ends them. The outcome of a piece is its own name in capitals. */
function gathered(options: Partial<GatheringOptions<string, string>> = {}) {
  const calls: Call[] = [];
  const ask = gatherPieces<string, string>({
    doAll(pieces) {
      const { promise, resolve, reject } = Promise.withResolvers<string[]>();
      const end = () => resolve(pieces.map((piece) => piece.toUpperCase()));
      calls.push({ pieces, end, fail: (message) => reject(new Error(message)) });
      return promise;
    },
    mayTryAlone: () => false,
    piecesMax: 100,
    patienceMs: 60_000,
    ...options,
  });
  const nextCall = async (place: number): Promise<Call> => {
    while (calls.length <= place) await Bun.sleep(1);
    return calls[place] as Call;
  };
  return { ask, calls, nextCall, asked: () => calls.map(({ pieces }) => pieces.join("")) };
}

describe("gathered work", () => {
  test("what arrives during a call is done in the next one, and each gets its own outcome", async () => {
    const { ask, nextCall, asked } = gathered();
    const outcomes = ["a", "b", "c"].map((piece) => ask("one", piece));
    expect(asked()).toEqual(["a"]);
    (await nextCall(0)).end();
    expect(await outcomes[0]).toBe("A");
    (await nextCall(1)).end();
    expect(await Promise.all(outcomes)).toEqual(["A", "B", "C"]);
    const later = ask("one", "d");
    (await nextCall(2)).end();
    expect(await later).toBe("D");
    expect(asked()).toEqual(["a", "bc", "d"]);
  });

  test("pieces of different keys do not wait for each other, nor share a call", async () => {
    const { ask, nextCall, asked } = gathered();
    const outcomes = [ask("one", "a"), ask("two", "b"), ask("two", "c")];
    expect(asked()).toEqual(["a", "b"]);
    (await nextCall(1)).end();
    (await nextCall(2)).end();
    expect(await Promise.all(outcomes.slice(1))).toEqual(["B", "C"]);
    (await nextCall(0)).end();
    expect(await outcomes[0]).toBe("A");
  });

  test("a call has at most `piecesMax` pieces, in order of arrival", async () => {
    const { ask, nextCall, asked } = gathered({ piecesMax: 2 });
    const outcomes = Promise.all(["a", "b", "c", "d"].map((piece) => ask("one", piece)));
    for (const place of [0, 1, 2]) (await nextCall(place)).end();
    await outcomes;
    expect(asked()).toEqual(["a", "bc", "d"]);
  });

  test("a call that takes long does not hold up those after it", async () => {
    const { ask, nextCall, asked } = gathered({ patienceMs: 1 });
    const slow = ask("one", "a");
    const next = ask("one", "b");
    (await nextCall(1)).end();
    expect(await next).toBe("B");
    (await nextCall(0)).end();
    expect(await slow).toBe("A");
    expect(asked()).toEqual(["a", "b"]);
  });

  test("if a call fails because of one piece, the others are done nevertheless", async () => {
    const { ask, nextCall } = gathered({ mayTryAlone: ({ message }: Error) => message === "bad piece" });
    const first = ask("one", "a");
    const others = Promise.allSettled(["b", "c"].map((piece) => ask("one", piece)));
    (await nextCall(0)).end();
    await first;
    (await nextCall(1)).fail("bad piece");
    const [ofB, ofC] = [await nextCall(2), await nextCall(3)];
    expect([ofB.pieces, ofC.pieces]).toEqual([["b"], ["c"]]);
    ofB.fail("bad piece");
    ofC.end();
    expect(await others).toEqual([
      { status: "rejected", reason: new Error("bad piece") },
      { status: "fulfilled", value: "C" },
    ]);
  });

  test("all pieces of a call that failed for another reason fail, and the next call begins", async () => {
    const { ask, nextCall, asked } = gathered();
    const first = ask("one", "a");
    const others = Promise.allSettled(["b", "c"].map((piece) => ask("one", piece)));
    (await nextCall(0)).end();
    await first;
    (await nextCall(1)).fail("away");
    expect((await others).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const after = ask("one", "d");
    (await nextCall(2)).end();
    expect(await after).toBe("D");
    expect(asked()).toEqual(["a", "bc", "d"]);
  });

  test("a piece that takes more than its call settles by itself, and holds up neither the others nor the next call", async () => {
    const more = Promise.withResolvers<string>();
    const ask = gatherPieces<string, string>({
      doAll: async (pieces) => pieces.map((piece) => (piece === "b" ? more.promise : piece.toUpperCase())),
      mayTryAlone: () => true,
      piecesMax: 100,
      patienceMs: 60_000,
    });
    const b = Promise.allSettled([ask("one", "b")]);
    expect(await Promise.all(["a", "c"].map((piece) => ask("one", piece)))).toEqual(["A", "C"]);
    more.reject(new Error("bad piece"));
    expect(await b).toEqual([{ status: "rejected", reason: new Error("bad piece") }]);
  });
});
