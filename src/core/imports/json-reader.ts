/**
 * Reads links from JSON piece by piece. With an object on each line, as our own exports are and large files mostly, each item is
 * given as soon as its line has ended, and what is left of one line is held. Any other file is held whole until it has ended: its
 * list may stand in several places, beside whatever else, and of one that is broken nothing should be taken.
 */
import { SourceRecord } from "./record";
import { itemsOf } from "./sniff";

const BYTE_ORDER_MARK = "\ufeff";

export class JsonFault extends Error {
  override name = "JsonFault";
}

export interface JsonReader {
  /** The items that end in this piece. Throws `JsonFault`. */
  push(piece: string): unknown[];
  /** All others. Throws `JsonFault`. */
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
        const value: unknown = JSON.parse(plain);
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

/** Whether its first line is an item by itself; undefined until that has ended. */
function beginsWithItem(text: string): boolean | undefined {
  const plain = withoutMark(text).trimStart();
  const end = plain.indexOf("\n");
  if (end === -1) return undefined;
  try {
    const value: unknown = JSON.parse(plain.slice(0, end));
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
    return JSON.parse(line);
  } catch {
    throw new JsonFault(`The file is not valid JSON (line ${number})`);
  }
}
