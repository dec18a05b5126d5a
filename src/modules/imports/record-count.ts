/**
 * Counts the records of a file while it is uploaded, to refuse one that has too many before anything of it is imported.
 * Every record counted is one, but some are not counted: those of JSON that is not one object per line, and those
 * behind a quote that is not closed. The job counts them all. State: what the file is, and the line being read.
 */
import { IMPORT_RECORDS_MAX } from "@/contract/links/imports";
import { utf16Of } from "./utf16";

export const TOO_MANY_RECORDS = `The file has more than ${IMPORT_RECORDS_MAX.toLocaleString("en")} records; split it`;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** The bytes that stand above a file: a byte order mark, and white space. */
const ABOVE = new Set([0xef, 0xbb, 0xbf, LINE_FEED, CARRIAGE_RETURN, SPACE, TAB]);
/** Stands for every character of UTF-16 beyond the first 256, none of which means anything here. */
const OTHER = 0x41;
const MARK_BYTES = 2;
/** What a cell begins after: a separator, or the end of a line. */
const BEFORE_CELL = new Set([0x2c, 0x3b, TAB, LINE_FEED, CARRIAGE_RETURN]);
/** Stands for a quote that closed a cell, which another quote would open again: the two are one quote in the cell. */
const CLOSED = -1;

/**
 * What the line of a CSV that is being read has so far: `opened` is the quote that opens its first cell. Like a blank
 * line, one with nothing but an empty cell in quotes is no record: the reader leaves out both.
 */
type Line = "nothing" | "spaces" | "opened" | "empty cell" | "record";

export class RecordCount {
  /** Includes the header of a CSV, and before the end not the record being read. */
  counted = 0;
  /** Undefined until enough bytes have arrived to tell. */
  #encoding: "bytes" | "utf-16le" | "utf-16be" | undefined;
  /** Bytes that do not tell anything without the next one. */
  #held: Uint8Array = new Uint8Array();
  #form: "csv" | "json" | undefined;
  #last = LINE_FEED;
  #isQuoted = false;
  #line: Line = "nothing";
  /** Whether the line of JSON has had nothing but white space. */
  #isBlank = true;

  add(content: Uint8Array): void {
    if (this.#encoding === undefined) this.#begin(Buffer.concat([this.#held, content]));
    else if (this.#encoding === "bytes") this.#addBytes(content);
    else this.#addUtf16(Buffer.concat([this.#held, content]), this.#encoding);
  }

  /** Counts the record that no line break ends. */
  end(): void {
    if (this.#form === "csv" && this.#isRecord() && !this.#isQuoted) this.counted++;
    if (this.#form === "json" && this.#last === CLOSE_BRACE) this.counted++;
  }

  #begin(content: Uint8Array): void {
    this.#held = content;
    if (content.length < MARK_BYTES) return;
    this.#encoding = utf16Of(content) ?? "bytes";
    if (this.#encoding === "bytes") this.#addBytes(content);
    else this.#addUtf16(content.subarray(MARK_BYTES), this.#encoding);
  }

  #addUtf16(content: Uint8Array, encoding: "utf-16le" | "utf-16be"): void {
    const low = encoding === "utf-16le" ? 0 : 1;
    const whole = content.length - (content.length % 2);
    this.#held = content.subarray(whole);
    const units = new Uint8Array(whole / 2);
    for (const place of units.keys()) {
      const at = 2 * place;
      units[place] = content[at + 1 - low] === 0 ? (content[at + low] ?? OTHER) : OTHER;
    }
    this.#addBytes(units);
  }

  #addBytes(content: Uint8Array): void {
    let at = 0;
    if (this.#form === undefined) {
      while (at < content.length && ABOVE.has(content[at] ?? 0)) at++;
      if (at === content.length) return;
      this.#form = formOf(content[at] ?? 0);
    }
    if (this.#form === "csv") this.#addCsv(content, at);
    if (this.#form === "json") this.#addJson(content, at);
  }

  #addCsv(content: Uint8Array, from: number): void {
    for (let at = from; at < content.length; at++) {
      const byte = content[at] ?? 0;
      if (this.#isQuoted) {
        this.#isQuoted = byte !== QUOTE;
        this.#line = this.#line === "opened" && byte === QUOTE ? "empty cell" : "record";
        this.#last = CLOSED;
        continue;
      }
      const isEnd = byte === LINE_FEED || byte === CARRIAGE_RETURN;
      if (isEnd && this.#isRecord()) this.counted++;
      this.#isQuoted = byte === QUOTE && (this.#last === CLOSED || BEFORE_CELL.has(this.#last));
      if (isEnd) this.#line = "nothing";
      else if (this.#line !== "record") this.#line = this.#lineWith(byte);
      // Spaces may stand before the quote that opens a cell.
      if (byte !== SPACE || !BEFORE_CELL.has(this.#last)) this.#last = byte;
    }
  }

  #lineWith(byte: number): Line {
    if (this.#line !== "nothing" && this.#line !== "spaces") return "record";
    if (this.#isQuoted) return "opened";
    return byte === SPACE ? "spaces" : "record";
  }

  /** A line of spaces is one, too: it has a cell that is not empty. */
  #isRecord(): boolean {
    return this.#line === "record" || this.#line === "spaces";
  }

  /** Only between two objects does a line end after one brace and begin with the other. */
  #addJson(content: Uint8Array, from: number): void {
    for (let at = from; at < content.length; at++) {
      const byte = content[at] ?? 0;
      if (byte === LINE_FEED) this.#isBlank = true;
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === SPACE || byte === TAB) continue;
      if (this.#isBlank && byte === OPEN_BRACE && this.#last === CLOSE_BRACE) this.counted++;
      this.#isBlank = false;
      this.#last = byte;
    }
  }
}

function formOf(first: number): "csv" | "json" {
  return first === OPEN_BRACE || first === OPEN_BRACKET ? "json" : "csv";
}
