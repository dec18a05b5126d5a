/**
 * A record of another service: a CSV row by field name, or a JSON object. It may contain anything; a value that is
 * not of the requested kind counts as absent.
 */

import { FALSE_WORDS, TRUE_WORDS } from "../csv/truth-words";
import { lostNumber } from "../parse-json";
import { parseOldInstant } from "./instants";

type Values = Readonly<Record<string, unknown>>;

const YES = new Set(["yes", "1", "y", "on", "ja", "oui", "sí", "si", "sì", "sim", ...TRUE_WORDS]);
const NO = new Set(["no", "0", "n", "off", "nein", "non", "nee", "não", "nao", ...FALSE_WORDS]);
const WHOLE = /^\d{1,15}$/;
/** Digits grouped by thousands, as spreadsheets write them. */
const GROUPED = /^\d{1,3}(?:[,. ]\d{3})+$/;

export class SourceRecord {
  constructor(readonly values: Values) {}

  static of(value: unknown): SourceRecord | undefined {
    return isObject(value) ? new SourceRecord(withOwnNumbers(value)) : undefined;
  }

  value(name: string): unknown {
    return Object.hasOwn(this.values, name) ? this.values[name] : undefined;
  }

  /** True if the file has one of these fields, also one without a value. */
  mentions(...names: string[]): boolean {
    return names.some((name) => this.value(name) !== undefined);
  }

  /** Returns trimmed text; empty text counts as absent. */
  text(name: string): string | undefined {
    const value = this.value(name);
    if (typeof value === "number" && Number.isFinite(value)) return String(value);
    if (typeof value !== "string") return undefined;
    return value.trim() || undefined;
  }

  /** Returns text as it is written, which counts for what is compared exactly. */
  exactText(name: string): string | undefined {
    const value = this.value(name);
    return typeof value === "string" ? value || undefined : this.text(name);
  }

  count(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const digits = GROUPED.test(text) ? text.replaceAll(/[,. ]/g, "") : text;
    return WHOLE.test(digits) ? Number(digits) : undefined;
  }

  flag(name: string): boolean | undefined {
    const value = this.value(name);
    if (typeof value === "boolean") return value;
    const text = this.text(name)?.toLowerCase();
    if (text === undefined) return undefined;
    return YES.has(text) ? true : NO.has(text) ? false : undefined;
  }

  /** Returns Unix milliseconds. */
  instant(name: string): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : parseOldInstant(text);
  }

  /** Returns the items of a list, or of text with these separators. */
  names(name: string, separators: RegExp): string[] {
    const value = this.value(name);
    const items = Array.isArray(value) ? value.map(nameOf) : (this.text(name) ?? "").split(separators);
    return [...new Set(items.map((item) => item.trim()).filter(Boolean))];
  }

  records(name: string): SourceRecord[] {
    const value = this.value(name);
    return Array.isArray(value) ? value.flatMap((item) => SourceRecord.of(item) ?? []) : [];
  }

  under(name: string): SourceRecord | undefined {
    return SourceRecord.of(this.value(name));
  }

  /** Returns those entries of an object whose values are text. */
  entries(name: string): [key: string, text: string][] {
    const value = this.value(name);
    if (!isObject(value)) return [];
    return Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  }

  /** True if the record has a password or, where the service exports none, says so: `0` and `no` are passwords, too. */
  hasPassword(): boolean {
    return this.text("password") !== undefined || this.value("password") === true;
  }

  /** True if dropping the field would lose something: false for null, false, zero and empty values. */
  says(name: string): boolean {
    const value = this.value(name);
    if (Array.isArray(value)) return value.length > 0;
    if (isObject(value)) return Object.keys(value).length > 0;
    return this.text(name) !== undefined ? this.flag(name) !== false : value === true;
  }
}

const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Rounds the object's own numbers (`parseJson`): only what a link keeps as it is has to keep them exactly. */
function withOwnNumbers(object: Values): Values {
  const isLost = (value: unknown) => typeof value === "string" && lostNumber(value) !== undefined;
  if (!Object.values(object).some(isLost)) return object;
  const entries = Object.entries(object);
  return Object.fromEntries(entries.map(([name, value]) => [name, isLost(value) ? lostNumber(String(value)) : value]));
}

/** Returns a tag's name; tags are text, or objects with a `name`. */
function nameOf(item: unknown): string {
  if (typeof item === "string") return item;
  return SourceRecord.of(item)?.text("name") ?? "";
}
