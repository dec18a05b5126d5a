import { expect, test } from "bun:test";
import { en } from "@/dashboard/words/en";

test("the guide lists the same keyboard shortcuts as the dashboard", async () => {
  const guide = await Bun.file("src/http/docs/guide/dashboard.md").text();
  const [, table = ""] = guide.match(/^## Keyboard\n([\s\S]*?)^## /m) ?? [];
  const cells = [...table.matchAll(/^\| (`.*?`) *\|/gm)].map(([, cell = ""]) => cell);
  const told = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, key]) => key));
  // `Ctrl K` is an alternative to the first key.
  expect(told.filter((key) => key !== "Ctrl K").toSorted()).toEqual(Object.keys(en.first.keys).toSorted());
});
