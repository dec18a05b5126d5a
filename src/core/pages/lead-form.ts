/** The form that a link may ask its visitors to fill in: its fields, and the validation of what visitors send. */
import { email } from "@/contract/accounts/auth";
import type { LeadCapture, LeadField } from "@/contract/links/link-pages";

/** Name of the answer to `consentText`, in the form and in stored leads. */
export const CONSENT_FIELD = "consent";
/** Value that a ticked box sends. */
export const TICKED = "yes";
export const LEAD_TEXT_MAX = 500;
export const LEAD_TEXTAREA_MAX = 4_000;

/**
 * Upper limit of a form's size, whatever its fields: a form that was open while its link changed has the fields of
 * before.
 */
export const LEAD_BYTES_MAX = 256 * 1024;

const EMAIL_ALONE: readonly LeadField[] = [{ name: "email", type: "email", required: true }];

const EMAIL = new RegExp(email.pattern ?? "", "u");
const EMAIL_MAX = email.maxLength ?? 0;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/**
 * Phones set to most languages have a comma in place of the point on the keyboard for numbers. `1,500` is left out: it
 * would be 1500 where the comma groups digits.
 */
const COMMA_FOR_POINT = /^(?![+-]?[1-9]\d*,\d{3}$)([+-]?\d*),(\d*)$/;
/** Digits in groups, as people write them, optionally with an extension. */
const TELEPHONE = /^\+?[\p{Nd} ()./-]+(?:(?:x|ext\.?|#) ?\p{Nd}{1,6})?$/iu;
const TELEPHONE_DIGITS = { min: 3, max: 20 } as const;

/** `kind` serves pages in other languages. `fault` is the English message, which follows the field's name. */
export interface LeadFault {
  name: string;
  kind: "required" | "length" | "characters" | Exclude<LeadField["type"], "text" | "textarea" | undefined>;
  fault: string;
}

export type CheckedLead = { ok: true; fields: Record<string, string> } | { ok: false; faults: LeadFault[] };

/** A validated answer, ready to be stored. */
export interface NewLead {
  /** The link's `orgId`. */
  orgId: string;
  linkId: string;
  /** The visit that was shown the form. A second lead from the same visit is ignored. */
  clickId: string;
  /** The visitor's key: 16 hexadecimal digits. */
  visitorId: string;
  fields: Record<string, string>;
  /** Unix milliseconds. */
  at: number;
}

/** Resolves once the lead is stored; rejects if it cannot be. */
export type RecordLead = (lead: NewLead) => Promise<void>;

/**
 * Returns the form's fields without consent: a single email field if it names none. Of fields with the same name the
 * first counts, and no field may use the consent field's name if the form asks for consent.
 */
export function leadFieldsOf({ fields, consentText }: LeadCapture): LeadField[] {
  const asked = fields && fields.length > 0 ? fields : EMAIL_ALONE;
  const taken = new Set(consentText ? [CONSENT_FIELD] : []);
  return asked.filter(({ name }) => !taken.has(name) && taken.add(name));
}

const lengthMaxOf = (type: LeadField["type"]): number => (type === "textarea" ? LEAD_TEXTAREA_MAX : LEAD_TEXT_MAX);

/**
 * Returns what is stored of an answer (only the form's fields, trimmed and in NFC, without empty ones), or all
 * faults. Of values with the same name the first counts. (`URLSearchParams` holds no lone surrogates.)
 */
export function checkLead(form: LeadCapture, values: URLSearchParams): CheckedLead {
  const consent: LeadField[] = form.consentText ? [{ name: CONSENT_FIELD, type: "checkbox", required: true }] : [];
  const answers = [...leadFieldsOf(form), ...consent].map((field) => answerOf(field, values.get(field.name) ?? ""));
  const faults = answers.flatMap(({ fault }) => fault ?? []);
  if (faults.length > 0) return { ok: false, faults };
  // Built from entries, so a field may have any name, even one that objects inherit from their prototype.
  return { ok: true, fields: Object.fromEntries(answers.flatMap(({ entry }) => (entry ? [entry] : []))) };
}

interface Answer {
  entry?: [name: string, value: string];
  fault?: LeadFault;
}

function answerOf(field: LeadField, sent: string): Answer {
  const { name, required = false } = field;
  // Browsers send line breaks as CR LF, but count them as one character.
  const text = sent.replaceAll("\r\n", "\n").normalize("NFC").trim();
  const value = plain(text, field.type);
  if (value === "") return required ? { fault: { name, ...faultOf("required") } } : {};
  const fault = faultIn(value, field);
  return fault ? { fault: { name, ...fault } } : { entry: [name, value] };
}

/** Returns the answer as it would be written on a keyboard with English settings. */
function plain(text: string, type: LeadField["type"]): string {
  if (type === "number") return plainNumber(text).replace(COMMA_FOR_POINT, "$1.$2");
  return type === "tel" ? plainTelephone(text) : text;
}

/** Keyboards in Arabic, Persian, Hindi and other languages have their own digits, and Japanese ones wide characters. */
const plainNumber = (text: string): string =>
  halfWidth(text)
    .replace(/(?!\d)\p{Nd}/gu, (digit) => String(digitValue(digit)))
    .replace("\u066b", ".")
    .replaceAll("\u2212", "-");

/** The ten digits of a script follow each other, and come after a character that is no digit or another ten. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return before % 10;
}

/**
 * Contacts are filled in and copied with non-breaking spaces and hyphens, and with invisible marks of direction
 * around them.
 */
const plainTelephone = (text: string): string =>
  halfWidth(text)
    .replace(/\p{Cf}/gu, "")
    .replace(/\p{Zs}/gu, " ")
    .replace(/\p{Pd}/gu, "-")
    .trim();

const WIDE_OFFSET = 0xfee0;

const halfWidth = (text: string): string =>
  text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - WIDE_OFFSET));

type FaultWithoutName = Omit<LeadFault, "name">;

function faultIn(value: string, { type = "text" }: LeadField): FaultWithoutName | undefined {
  const lengthMax = lengthMaxOf(type);
  if (value.includes("\0")) return faultOf("characters");
  if (value.length > lengthMax) return { kind: "length", fault: `expected at most ${lengthMax} characters` };
  if (type === "text" || type === "textarea") return undefined;
  return isShaped[type](value) ? undefined : faultOf(type);
}

const isShaped: Record<keyof typeof SHAPE_FAULTS, (value: string) => boolean> = {
  email: (value) => value.length <= EMAIL_MAX && EMAIL.test(value) && value.includes(".", value.indexOf("@")),
  tel: (value) => TELEPHONE.test(value) && isWithin(value.match(/\p{Nd}/gu)?.length ?? 0, TELEPHONE_DIGITS),
  url: (value) => /^https?:\/\//i.test(value) && URL.canParse(value),
  number: (value) => NUMBER.test(value) && Number.isFinite(Number(value)),
  checkbox: (value) => value === TICKED,
};

const isWithin = (count: number, { min, max }: typeof TELEPHONE_DIGITS) => count >= min && count <= max;

const SHAPE_FAULTS = {
  email: "expected an email address",
  tel: "expected a phone number",
  url: "expected an absolute http or https URL",
  number: "expected a number",
  checkbox: `expected ${TICKED}, or nothing`,
} as const;

const FAULTS = { ...SHAPE_FAULTS, required: "is required", characters: "must not contain a NUL byte" } as const;

const faultOf = (kind: keyof typeof FAULTS): FaultWithoutName => ({ kind, fault: FAULTS[kind] });
