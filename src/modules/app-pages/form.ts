/** Forms of the pages: what came with one, and what a failure says to a person in place of what it says to a program. */
import type { Static, TObject } from "@sinclair/typebox";
import { type HttpError, invalid } from "@/http/errors";
import { readerOf } from "@/http/validation";
import { toHttpError } from "@/http/wire";
import type { Log } from "@/platform/telemetry/log";
import type { AccountWords } from "./words";

/** Field by field as they were typed; the last of a name counts. */
export type FormValues = Readonly<Record<string, string>>;

export interface FormState {
  values: FormValues;
  /** What is wrong, by field, in sentences. */
  faults: Readonly<Record<string, string>>;
  /** What is wrong as a whole. */
  alert?: string;
}

export const untouched = (values: FormValues = {}): FormState => ({ values, faults: {} });

/** What may be said of a field: of its shape, and where the service refused what is well-formed. */
export interface FieldSentences {
  malformed: string;
  refused?: string;
}

export interface Sentences {
  fields: Readonly<Record<string, FieldSentences>>;
  /** By status, where a failure names no field of the form. */
  statuses?: Readonly<Record<number, string>>;
}

export interface Failed {
  status: number;
  headers?: Record<string, string>;
  state: FormState;
}

/** Reads fields as the API's route reads its body. It throws 400 with every fault. */
export function formReader<Schema extends TObject>(schema: Schema): (fields: unknown) => Static<Schema> {
  const read = readerOf(schema);
  return (fields) => {
    const outcome = read(fields);
    if (!outcome.ok) throw invalid(outcome.faults);
    return outcome.value;
  };
}

const MALFORMED = /: (?:expected|required|must be)\b/;
const UNAVAILABLE = new Set([429, 503]);

/** The failure of a form, said in the visitor's language; what is our own doing is logged. */
export function failureOf(error: unknown, values: FormValues, { words, sentences, log }: FailureFacts): Failed {
  const failure = toHttpError(error);
  const { status, details = [] } = failure;
  if (status === 500) log.error("a page's form failed", { error });
  const faults: Record<string, string> = {};
  for (const detail of details) {
    const [field = ""] = detail.split(":", 1);
    const said = sentences.fields[field];
    if (said) faults[field] ??= MALFORMED.test(detail) ? said.malformed : (said.refused ?? said.malformed);
  }
  const isAtFields = Object.keys(faults).length > 0 && !UNAVAILABLE.has(status);
  const alert = isAtFields ? words.alerts.check : alertOf(failure, words, sentences);
  return { status, headers: retryAfter(failure), state: { values, faults: isAtFields ? faults : {}, alert } };
}

interface FailureFacts {
  words: AccountWords;
  sentences: Sentences;
  log: Log;
}

function alertOf({ status }: HttpError, { alerts }: AccountWords, { statuses }: Sentences): string {
  const own = statuses?.[status];
  if (own !== undefined) return own;
  if (status === 429) return alerts.tooMany;
  if (status === 503) return alerts.unavailable;
  if (status === 403) return alerts.forbidden;
  return status === 500 ? alerts.failed : alerts.check;
}

const retryAfter = ({ headers }: HttpError): Record<string, string> | undefined => {
  const seconds = headers?.["retry-after"];
  return seconds === undefined ? undefined : { "retry-after": seconds };
};
