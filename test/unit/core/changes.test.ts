import { describe, expect, test } from "bun:test";
import { changesOf } from "@/core/changes";

describe("a change records", () => {
  test.each([
    ["nothing, when nothing did", { name: "Acme", tags: ["a"] }, { name: "Acme", tags: ["a"] }, {}],
    ["a field's value before and after", { name: "Acme" }, { name: "Ace" }, { name: { from: "Acme", to: "Ace" } }],
    ["a field that came, from null", {}, { name: "Ace" }, { name: { from: null, to: "Ace" } }],
    ["a field that went, to null", { name: "Acme" }, {}, { name: { from: "Acme", to: null } }],
    ["nothing, when undefined became null", { name: undefined }, { name: null }, {}],
    ["objects as a whole", { ios: { a: 1 } }, { ios: { a: 2 } }, { ios: { from: { a: 1 }, to: { a: 2 } } }],
    ["nothing, when keys changed their order", { ios: { a: 1, b: 2 } }, { ios: { b: 2, a: 1 } }, {}],
    [
      "lists in their order",
      { tags: ["a", "b"] },
      { tags: ["b", "a"] },
      { tags: { from: ["a", "b"], to: ["b", "a"] } },
    ],
    ["a list for an object", { at: [] }, { at: {} }, { at: { from: [], to: {} } }],
    [
      "instants as text",
      { at: new Date(0) },
      { at: new Date(1) },
      { at: { from: "1970-01-01T00:00:00.000Z", to: "1970-01-01T00:00:00.001Z" } },
    ],
    ["nothing, of equal instants", { at: new Date(0) }, { at: new Date(0) }, {}],
  ])("%s", (_, before, after, expected) => {
    expect(changesOf(before, after)).toEqual(expected as never);
  });
});
