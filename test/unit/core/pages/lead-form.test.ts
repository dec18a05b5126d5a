import { describe, expect, test } from "bun:test";
import type { LeadCapture, LeadField } from "@/contract/links/link-pages";
import {
  checkLead,
  LEAD_BYTES_MAX,
  LEAD_TEXT_MAX,
  LEAD_TEXTAREA_MAX,
  type LeadFault,
  leadFieldsOf,
} from "@/core/pages/lead-form";

type Sent = Record<string, string>;

const check = (form: LeadCapture, sent: Sent | string) => checkLead(form, new URLSearchParams(sent));
const ofField = (field: Omit<LeadField, "name">): LeadCapture => ({ fields: [{ name: "a", ...field }] });

describe("a form asks", () => {
  const email: LeadField = { name: "email", type: "email", required: true };
  const name: LeadField = { name: "name" };
  test.each<[string, LeadCapture, LeadField[]]>([
    ["for an email address when it names no field", {}, [email]],
    ["for an email address when its fields are none", { fields: [] }, [email]],
    ["for its own fields, in their order", { fields: [name, email] }, [name, email]],
    ["once for fields of one name", { fields: [name, { name: "name", type: "url" }] }, [name]],
    ["for no field in the place of consent", { fields: [name, { name: "consent" }], consentText: "Agreed?" }, [name]],
    [
      "for a field of that name where there is no consent to ask for",
      { fields: [{ name: "consent" }] },
      [{ name: "consent" }],
    ],
  ])("%s", (_, form, fields) => {
    expect(leadFieldsOf(form)).toEqual(fields);
  });
});

describe("a filled-in form", () => {
  const sizeOf = (values: Sent) => new URLSearchParams(values).toString().length;

  test.each(["a", "\n", "ж", "漢", "🦊"])("with maximum values of %j is within the size limit", (character) => {
    const names = [character.repeat(64 / character.length), "b", "c", "d", "e", "f", "g"];
    const full = (length: number) => character.repeat(length / character.length);
    const fields = Object.fromEntries(names.map((name) => [name, full(LEAD_TEXTAREA_MAX)]));
    expect(sizeOf({ ...fields, consent: "yes", wm_pass: "p".repeat(64) })).toBeLessThan(LEAD_BYTES_MAX);
  });
});

describe("an answer is refused", () => {
  test.each<[string, Omit<LeadField, "name">, string, LeadFault["kind"]]>([
    ["that is missing", { required: true }, "", "required"],
    ["that is blank", { required: true }, " \t\r\n\u00a0", "required"],
    ["with an unticked box that has to be ticked", { type: "checkbox", required: true }, "", "required"],
    ["with a NUL byte", {}, "a\0b", "characters"],
    ["with a NUL byte in an email address", { type: "email" }, "a\0@example.com", "characters"],
    ["with too long a text", {}, "a".repeat(LEAD_TEXT_MAX + 1), "length"],
    ["with too long a text of many lines", { type: "textarea" }, "a".repeat(LEAD_TEXTAREA_MAX + 1), "length"],
    ["with an email address without its host", { type: "email" }, "ada@", "email"],
    ["with an email address of a bare host", { type: "email" }, "ada@localhost", "email"],
    ["with a dot before the host alone", { type: "email" }, "ada.l@localhost", "email"],
    ["with an email address in brackets", { type: "email" }, "Ada <ada@example.com>", "email"],
    ["with two email addresses", { type: "email" }, "a@example.com,b@example.com", "email"],
    ["with an email address of two lines", { type: "email" }, "a@example.com\nb@example.com", "email"],
    ["with too long an email address", { type: "email" }, `${"a".repeat(243)}@example.com`, "email"],
    ["with a script for a URL", { type: "url" }, "javascript:alert(1)", "url"],
    ["with a URL without its scheme", { type: "url" }, "example.com", "url"],
    ["with a URL without its host", { type: "url" }, "https://", "url"],
    ["with words for a telephone number", { type: "tel" }, "call me", "tel"],
    ["with two digits for a telephone number", { type: "tel" }, "+1-2", "tel"],
    ["with 21 digits for a telephone number", { type: "tel" }, "1".repeat(21), "tel"],
    ["with words for a number", { type: "number" }, "many", "number"],
    ["with a number past all bounds", { type: "number" }, "1e999", "number"],
    ["with NaN for a number", { type: "number" }, "NaN", "number"],
    ["with Infinity for a number", { type: "number" }, "-Infinity", "number"],
    ["with a comma alone for a number", { type: "number" }, ",", "number"],
    ["with a number whose comma may group digits", { type: "number" }, "1,500", "number"],
    ["with a number of two commas", { type: "number" }, "1,500,0", "number"],
    ["with a hexadecimal number", { type: "number" }, "0x10", "number"],
    ["with a box that is neither ticked nor not", { type: "checkbox" }, "perhaps", "checkbox"],
  ])("%s", (_, field, a, kind) => {
    expect(check(ofField(field), { a })).toMatchObject({ ok: false, faults: [{ name: "a", kind }] });
  });

  test("with all faults, in the order of its fields, consent last", () => {
    const form: LeadCapture = {
      fields: [
        { name: "email", type: "email" },
        { name: "age", type: "number" },
        { name: "name", required: true },
        { name: "note" },
      ],
      consentText: "You may write to me",
    };
    expect(check(form, { email: "ada", age: "old", note: "x".repeat(501) })).toEqual({
      ok: false,
      faults: [
        { name: "email", kind: "email", fault: "expected an email address" },
        { name: "age", kind: "number", fault: "expected a number" },
        { name: "name", kind: "required", fault: "is required" },
        { name: "note", kind: "length", fault: "expected at most 500 characters" },
        { name: "consent", kind: "required", fault: "is required" },
      ],
    });
  });

  test.each<[string, Sent]>([
    ["is absent", { email: "ada@example.com" }],
    ["is refused", { email: "ada@example.com", consent: "" }],
    ["says something else", { email: "ada@example.com", consent: "no" }],
  ])("whose consent %s", (_, sent) => {
    const checked = check({ consentText: "You may write to me" }, sent);
    expect(checked).toMatchObject({ ok: false, faults: [{ name: "consent" }] });
  });
});

describe("an answer is kept", () => {
  test.each<[string, Omit<LeadField, "name">, string, string]>([
    ["without the space around it", {}, " \u00a0Ada  Lovelace\r\n", "Ada  Lovelace"],
    ["in NFC", {}, "Zoe\u0308", "Zo\u00eb"],
    ["of as many characters as there may be", {}, "a".repeat(LEAD_TEXT_MAX), "a".repeat(LEAD_TEXT_MAX)],
    ["that is as long only once it is composed", {}, "e\u0308".repeat(LEAD_TEXT_MAX), "\u00eb".repeat(LEAD_TEXT_MAX)],
    [
      "that is as long only without the space around it",
      {},
      ` ${"a".repeat(LEAD_TEXT_MAX)} `,
      "a".repeat(LEAD_TEXT_MAX),
    ],
    ["of many lines, each ended by one character", { type: "textarea" }, "a\r\nb", "a\nb"],
    [
      "of as many lines as there may be characters",
      { type: "textarea" },
      `a${"\r\n".repeat(LEAD_TEXTAREA_MAX - 2)}b`,
      `a${"\n".repeat(LEAD_TEXTAREA_MAX - 2)}b`,
    ],
    ["that looks like a formula, or markup", {}, "=1+1 <b>", "=1+1 <b>"],
    ["that is an email address", { type: "email" }, " Ada.L+x@mail.example.com", "Ada.L+x@mail.example.com"],
    [
      "that is an email address of another script",
      { type: "email" },
      "użytkownik@przykład.pl",
      "użytkownik@przykład.pl",
    ],
    ["that is a URL", { type: "url" }, "HTTPS://example.com/ä?b#c", "HTTPS://example.com/ä?b#c"],
    ["that is a telephone number", { type: "tel" }, "+43 (0)1/234-56.78 ext. 9", "+43 (0)1/234-56.78 ext. 9"],
    ["that is a telephone number in other digits", { type: "tel" }, "٠١٢٣٤٥", "٠١٢٣٤٥"],
    [
      "that is a telephone number as phones fill it in and copy it",
      { type: "tel" },
      "\u202a+1\u00a0(555)\u00a0123\u2011\u2060456\u202c",
      "+1 (555) 123-456",
    ],
    ["that is a telephone number in full width", { type: "tel" }, "＋８１（３）１２３４－５６７８", "+81(3)1234-5678"],
    ["that is a telephone number with a dash", { type: "tel" }, "0664 – 123 45", "0664 - 123 45"],
    ["that is a number", { type: "number" }, "-1.50", "-1.50"],
    ["that is a small number", { type: "number" }, ".5e-3", ".5e-3"],
    ["that is a number with a comma for its point", { type: "number" }, "-12,5", "-12.5"],
    ["that is a number in Arabic digits", { type: "number" }, "١٢٫٥", "12.5"],
    ["that is a number in Persian digits", { type: "number" }, "۱۴۰۴", "1404"],
    ["that is a number in Hindi digits, below zero", { type: "number" }, "−९८", "-98"],
    ["that is a number in full width", { type: "number" }, "１２．５", "12.5"],
    ["that is such a number below one", { type: "number" }, "0,125", "0.125"],
    ["that has a comma and is no number", { type: "text" }, "12,5", "12,5"],
    ["that is no number, but a zero", { type: "number", required: true }, "0", "0"],
    ["that ticks a box", { type: "checkbox", required: true }, "yes", "yes"],
  ])("%s", (_, field, a, kept) => {
    expect(check(ofField(field), { a })).toEqual({ ok: true, fields: { a: kept } });
  });

  test("without empty fields and without unknown ones", () => {
    const form: LeadCapture = {
      fields: [{ name: "name" }, { name: "box", type: "checkbox" }, { name: "site", type: "url" }],
    };
    expect(check(form, { name: "Ada", box: "", site: "  ", consent: "yes", _id: "1" })).toEqual({
      ok: true,
      fields: { name: "Ada" },
    });
  });

  test("together with its consent", () => {
    expect(check({ consentText: "You may" }, { email: "ada@example.com", consent: "yes" })).toEqual({
      ok: true,
      fields: { email: "ada@example.com", consent: "yes" },
    });
  });

  test("with the first of two values of one field", () => {
    expect(check(ofField({}), "a=1&a=2")).toEqual({ ok: true, fields: { a: "1" } });
  });

  test("even if its name is a property of every object", () => {
    const names = ["__proto__", "constructor", "toString"];
    const checked = check({ fields: names.map((name) => ({ name })) }, "__proto__=a&constructor=b");
    expect(checked.ok && Object.entries(checked.fields)).toEqual([
      ["__proto__", "a"],
      ["constructor", "b"],
    ]);
  });

  test("with lone surrogates replaced", () => {
    const checked = check(ofField({}), { a: "x\ud800" });
    expect(checked).toEqual({ ok: true, fields: { a: "x\ufffd" } });
  });
});
