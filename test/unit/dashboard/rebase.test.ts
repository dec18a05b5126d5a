import { expect, test } from "bun:test";
import { rebaseDraft } from "@/dashboard/drafts/rebase";

interface Row {
  key: string;
  /** Assigned by the service. */
  name?: string;
  text: string;
}

interface Draft {
  title: string;
  url: string;
  utm: { source: string; term: string };
  kinds: string[];
  rows: Row[];
}

const SENT: Draft = {
  ...{ title: "Sale ", url: "example.com", utm: { source: "news", term: "" }, kinds: ["a"] },
  rows: [
    { key: "1", name: "x", text: "One" },
    { key: "new 1", text: "Two " },
  ],
};
const SAVED: Draft = {
  ...{ title: "Sale", url: "https://example.com/", utm: { source: "news", term: "" }, kinds: ["a"] },
  rows: [
    { key: "saved 0", name: "x", text: "One" },
    { key: "saved 1", name: "y", text: "Two" },
  ],
};
const after = (draft: Partial<Draft>, saved: Draft = SAVED) => rebaseDraft({ ...SENT, ...draft }, SENT, saved, "key");

test("without later edits, all fields take the saved values, and rows keep their keys", () => {
  expect(after({})).toEqual({
    ...SAVED,
    rows: [
      { key: "1", name: "x", text: "One" },
      { key: "new 1", name: "y", text: "Two" },
    ],
  });
});

test("a field that was edited since keeps the edit, and all others take the saved values", () => {
  expect(after({ title: "Sale at last" })).toMatchObject({ title: "Sale at last", url: "https://example.com/" });
});

test("a field that was cleared since stays empty", () => {
  expect(after({ title: "" }).title).toBe("");
});

test("a field that was edited back to an earlier value keeps that value", () => {
  expect(after({ title: "Before" }).title).toBe("Before");
});

test("nested fields are merged separately", () => {
  const saved = { ...SAVED, utm: { source: "newsletter", term: "" } };
  expect(after({ utm: { source: "news", term: "shoes" } }, saved).utm).toEqual({ source: "newsletter", term: "shoes" });
});

test("a list of plain values is treated as one field", () => {
  expect(after({ kinds: ["a", "b"] }, { ...SAVED, kinds: ["c"] }).kinds).toEqual(["a", "b"]);
  expect(after({}, { ...SAVED, kinds: ["c"] }).kinds).toEqual(["c"]);
});

test("a row that was edited since keeps the edit and gets what the service assigned", () => {
  const rows = [SENT.rows[0] as Row, { key: "new 1", text: "Two and a half" }];
  expect(after({ rows }).rows[1]).toEqual({ key: "new 1", name: "y", text: "Two and a half" });
});

test("rows that were moved, added or removed since stay so", () => {
  const rows = [{ key: "new 2", text: "Three" }, SENT.rows[1] as Row];
  expect(after({ rows }).rows).toEqual([
    { key: "new 2", text: "Three" },
    { key: "new 1", name: "y", text: "Two" },
  ]);
});

test("if the service saved more rows than were sent, edited rows are kept and unedited ones replaced", () => {
  const saved = { ...SAVED, rows: [...SAVED.rows, { key: "saved 2", text: "Four" }] };
  expect(after({}, saved).rows).toEqual(saved.rows);
  const rows = [{ key: "1", name: "x", text: "Uno" }];
  expect(after({ rows }, saved).rows).toEqual(rows);
});
