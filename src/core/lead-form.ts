/** The form a link may ask its visitors to fill in: what it asks for, and whether what they sent answers it. */
import { email } from "@/contract/accounts/auth";
import type { LeadCapture, LeadField } from "@/contract/links/link-pages";

/** What the answer to `consentText` is called, in the form and in what is kept of it. */
export const CONSENT_FIELD = "consent";
/** What a ticked box sends. */
export const TICKED = "yes";
export const LEAD_TEXT_MAX = 500;
export const LEAD_TEXTAREA_MAX = 4_000;

/** What a form may take at most, whatever it asks for. */
const BYTES_MAX = 256 * 1024;
/** A character in a form that was sent, at most: `%E4%B8%AD`, or half of the pair that stands for a rarer one. */
const BYTES_A_CHARACTER = 9;
/** For consent, and what we send along. */
const BYTES_BESIDES = 4 * 1024;

const EMAIL_ALONE: readonly LeadField[] = [{ name: "email", type: "email", required: true }];

const EMAIL = new RegExp(email.pattern ?? "", "u");
const EMAIL_MAX = email.maxLength ?? 0;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** Matches digits as people group them, perhaps with an extension. */
const TELEPHONE = /^\+?[\p{Nd} ()./-]+(?:(?:x|ext\.?|#) ?\p{Nd}{1,6})?$/iu;
const TELEPHONE_DIGITS = { min: 3, max: 20 } as const;

/** `kind` is for pages in other languages, `fault` for those who read English: it stands behind the field's name. */
export interface LeadFault {
  name: string;
  kind: "required" | "length" | "characters" | Exclude<LeadField["type"], "text" | "textarea" | undefined>;
  fault: string;
}

export type CheckedLead = { ok: true; fields: Record<string, string> } | { ok: false; faults: LeadFault[] };

/** An answer as it is kept. */
export interface NewLead {
  /** The organization in the link's row. */
  orgId: string;
  linkId: string;
  /** Of the visit that the form was shown to: a second lead of the same one is none. */
  clickId: string;
  /** The visitor's key, 16 hex digits. */
  visitorId: string;
  fields: Record<string, string>;
  /** Unix milliseconds. */
  at: number;
}

/** Resolves once it is kept; rejects when it cannot be. */
export type RecordLead = (lead: NewLead) => Promise<void>;

/**
 * What the form asks for, but for consent: an email address where it names no field. Of fields of one name the first counts,
 * and none takes the name of consent where that is asked for.
 */
export function leadFieldsOf({ fields, consentText }: LeadCapture): LeadField[] {
  const asked = fields && fields.length > 0 ? fields : EMAIL_ALONE;
  const taken = new Set(consentText ? [CONSENT_FIELD] : []);
  return asked.filter(({ name }) => !taken.has(name) && taken.add(name));
}

/** How many bytes the form takes once every field is filled in, in any script. */
export const leadBytesMax = (form: LeadCapture): number =>
  leadFieldsOf(form).reduce(
    (bytes, { name, type }) => Math.min(BYTES_MAX, bytes + BYTES_A_CHARACTER * (name.length + lengthMaxOf(type))),
    BYTES_BESIDES,
  );

const lengthMaxOf = (type: LeadField["type"]): number => (type === "textarea" ? LEAD_TEXTAREA_MAX : LEAD_TEXT_MAX);

/**
 * What is kept of an answer: only what the form asks for, trimmed and in NFC, without what was left empty. Or every fault.
 * Of values of one name the first counts. (`URLSearchParams` holds no lone surrogates.)
 */
export function checkLead(form: LeadCapture, values: URLSearchParams): CheckedLead {
  const consent: LeadField[] = form.consentText ? [{ name: CONSENT_FIELD, type: "checkbox", required: true }] : [];
  const answers = [...leadFieldsOf(form), ...consent].map((field) => answerOf(field, values.get(field.name) ?? ""));
  const faults = answers.flatMap(({ fault }) => fault ?? []);
  if (faults.length > 0) return { ok: false, faults };
  // From entries, so that a field may have any name, also one that objects have from their prototype.
  return { ok: true, fields: Object.fromEntries(answers.flatMap(({ entry }) => (entry ? [entry] : []))) };
}

interface Answer {
  entry?: [name: string, value: string];
  fault?: LeadFault;
}

function answerOf(field: LeadField, sent: string): Answer {
  const { name, required = false } = field;
  // Browsers send line breaks as CR LF, but count one character each.
  const value = sent.replaceAll("\r\n", "\n").normalize("NFC").trim();
  if (value === "") return required ? { fault: { name, ...faultOf("required") } } : {};
  const fault = faultIn(value, field);
  return fault ? { fault: { name, ...fault } } : { entry: [name, value] };
}

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
