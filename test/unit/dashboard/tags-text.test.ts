import { describe, expect, test } from "bun:test";
import { tagsOf, textOfTags } from "@/dashboard/links/tags-text";

const TEXTS: [text: string, tags: string[]][] = [
  ["", []],
  [" , ,", []],
  ["sale", ["sale"]],
  [" sale , spring,", ["sale", "spring"]],
  ['"sale, spring", new', ["sale, spring", "new"]],
  ['"sale, spring', ['"sale', "spring"]],
  ['"big" sale, new', ['"big" sale', "new"]],
  ['27" screen, new', ['27" screen', "new"]],
  ['" ", new', ["new"]],
];

test.each(TEXTS)("%p are the tags %p", (text, tags) => {
  expect(tagsOf(text)).toEqual(tags);
});

describe("tags that are written and read again are the same:", () => {
  test.each([[[]], [["sale"]], [["sale, spring", "new"]], [['"sale"', ',"', '"', ","]]])("%p", (tags: string[]) => {
    expect(tagsOf(textOfTags(tags))).toEqual(tags);
  });
});
