/** Bodies whose faults would take long to list, on the thread that serves all visitors. */
import { describe, expect, spyOn, test } from "bun:test";
import { Kind, Type, TypeRegistry } from "@sinclair/typebox";
import { BULK_BODY_BYTES_MAX } from "@/contract/links/bulk-links";
import { LINK_LIMITS, LinkInput } from "@/contract/links/links";
import { closestName } from "@/core/codes/meant";
import { readJsonBody } from "@/http/body/read-body";
import { unknownFieldFaults } from "@/http/body/unlisted-fields";
import { createBodyReader } from "@/http/body/validation";

const MANY = 5_000;
const FAULTS_MAX = 50;
const many = <Item>(item: (index: number) => Item): Item[] => Array.from({ length: MANY }, (_, index) => item(index));

describe("a list that is too long", () => {
  test("is named without a look at each of its items", () => {
    let looks = 0;
    TypeRegistry.Set("Counted", () => ++looks > 0);
    const items = Type.Unsafe<number>({ [Kind]: "Counted" });
    const read = createBodyReader(Type.Object({ items: Type.Array(items, { maxItems: 2, error: "expected few" }) }));
    expect(read({ items: many((index) => index) })).toMatchObject({ ok: false, faults: ["items: expected few"] });
    expect(looks).toBeLessThan(10);
  });

  test("comes with the faults of its first items", () => {
    const read = createBodyReader(LinkInput);
    const rules = many(() => ({ destinationUrl: "https://example.com/", conditions: { unheardOf: 1 } }));
    const { faults } = read({ defaultUrl: "https://example.com/", rules }) as { faults: string[] };
    expect(faults[0]).toStartWith("rules: ");
    expect(faults[1]).toStartWith("rules[0].conditions.unheardOf: there is no such field");
    expect(faults.some((fault) => fault.startsWith(`rules[${LINK_LIMITS.rulesMax + 1}]`))).toBe(false);
  });
});

test("of many unknown names, the first fifty are listed", () => {
  const conditions = Object.fromEntries(many((index) => [`name${index}`, 1]));
  const faults = unknownFieldFaults(LinkInput, { rules: [{ conditions }] });
  expect(faults).toHaveLength(FAULTS_MAX);
  expect(faults[0]).toStartWith("rules[0].conditions.name0: there is no such field");
});

test("a name is compared only with names of about its length", () => {
  const steps = spyOn(Math, "min");
  try {
    expect(closestName("k".repeat(MANY), ["platform", "browsers"])).toBeUndefined();
    expect(steps).not.toHaveBeenCalled();
    expect(closestName("platfrom", ["platform", "browsers"])).toBe("platform");
    expect(steps).toHaveBeenCalled();
  } finally {
    steps.mockRestore();
  }
});

describe("objects and lists", () => {
  const read = (text: string) =>
    readJsonBody(
      new Request("http://localhost/", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: text,
      }),
      { bytesMax: BULK_BODY_BYTES_MAX },
    );

  test("in large numbers are refused before they are read", async () => {
    const parse = spyOn(JSON, "parse");
    try {
      for (const item of ["{}", "[]"]) {
        const error = await read(`{"links":[${`${item},`.repeat(100_000)}${item}]}`).catch(
          (refused: unknown) => refused,
        );
        expect(error).toMatchObject({ status: 400, message: "The body has too many objects and lists for its size" });
      }
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
  });

  test("are read as many as links of short fields have", async () => {
    const rule = {
      destinationUrl: "https://a.io/",
      conditions: { daysOfWeek: [1], platform: ["ios"], countries: ["DE"] },
    };
    const link = { defaultUrl: "https://a.io/", rules: Array.from({ length: 60 }, () => rule) };
    const { value } = await read(JSON.stringify({ links: Array.from({ length: 100 }, () => link) }));
    expect(value).toMatchObject({ links: { length: 100 } });
  });

  test("are read as many as payloads with lists of pairs have", async () => {
    const link = {
      defaultUrl: "https://a.io/",
      deepLinkPayload: { path: Array.from({ length: 1_000 }, () => [1, 2]) },
    };
    const links = Array.from({ length: 100 }, () => link);
    expect((await read(JSON.stringify({ links }))).value).toEqual({ links });
  });
});
