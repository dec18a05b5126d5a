/**
 * Reads links from JSON piece by piece. If each line is an object, as in our own exports and most large files, an
 * item is returned as soon as its line is complete, and only an incomplete line is held. Any other file is held in
 * full until its end: its list can be in one of several places, and nothing should be taken from a file that turns
 * out to be broken.
 */
import { parseJson } from "../parse-json";
import { SourceRecord } from "./record";
import { itemsOf } from "./sniff";

const BYTE_ORDER_MARK = "\ufeff";

export class JsonFault extends Error {
  override name = "JsonFault";
}

export interface JsonReader {
  /** Returns the items completed by this piece. Throws `JsonFault`. */
  push(piece: string): unknown[];
  /** Returns all remaining items. Throws `JsonFault`. */
  end(): unknown[];
}

export function createJsonReader(): JsonReader {
  let held = "";
  let lines = 0;
  let isByLine: boolean | undefined;

  return {
    push(piece) {
      held += piece;
      isByLine ??= beginsWithItem(held);
      return isByLine ? endedLines() : [];
    },
    end() {
      const plain = withoutMark(held);
      if (isByLine) return itemsInLines(plain, lines);
      try {
        const value: unknown = parseJson(plain);
        return itemsOf(value) ?? [value];
      } catch {
        return itemsInLines(plain, 0);
      }
    },
  };

  function endedLines(): unknown[] {
    const end = held.lastIndexOf("\n") + 1;
    if (end === 0) return [];
    const ended = withoutMark(held.slice(0, end));
    held = held.slice(end);
    const items = itemsInLines(ended, lines);
    lines += ended.split("\n").length - 1;
    return items;
  }
}

/** True if the first line is an item; undefined until that line is complete. */
function beginsWithItem(text: string): boolean | undefined {
  const plain = withoutMark(text).trimStart();
  const end = plain.indexOf("\n");
  if (end === -1) return undefined;
  try {
    const value: unknown = parseJson(plain.slice(0, end));
    return SourceRecord.of(value) !== undefined && itemsOf(value) === undefined;
  } catch {
    return false;
  }
}

const withoutMark = (text: string): string => (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);

const itemsInLines = (text: string, before: number): unknown[] =>
  text.split("\n").flatMap((line, index) => (line.trim() === "" ? [] : [itemOfLine(line, before + index + 1)]));

function itemOfLine(line: string, number: number): unknown {
  try {
    return parseJson(line);
  } catch {
    throw new JsonFault(`The file is not valid JSON (line ${number})`);
  }
}
