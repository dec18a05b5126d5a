/** Forms of the pages: their values, and the translation of an API error into sentences for people. */
import type { Static, TObject } from "@sinclair/typebox";
import { createBodyReader } from "@/http/body/validation";
import { type HttpError, invalid } from "@/http/errors";
import { toHttpError } from "@/http/wire";
import { waitIn } from "@/pages/wait";
import type { Log } from "@/platform/telemetry/log";
import type { AccountTheme } from "./look";

/** The fields as they were typed; of several with the same name, the last counts. */
export type FormValues = Readonly<Record<string, string>>;

export interface FormState {
  values: FormValues;
  /** Sentences about what is wrong, by field. */
  faults: Readonly<Record<string, string>>;
  /** What is wrong with the form as a whole. */
  alert?: string;
}

export const formWithoutFaults = (values: FormValues = {}): FormState => ({ values, faults: {} });

/** The sentences for a faulty field: for a malformed value, and for a well-formed one that the service refused. */
export interface FieldSentences {
  malformed: string;
  refused?: string;
}

export interface Sentences {
  fields: Readonly<Record<string, FieldSentences>>;
  /** By status, for a failure that names no field of the form. */
  statuses?: Readonly<Record<number, string>>;
}

export interface FormFailure {
  status: number;
  headers?: Record<string, string>;
  state: FormState;
}

/** Returns a function that reads fields as the API's route reads its body, and throws 400 with every fault. */
export function formReader<Schema extends TObject>(schema: Schema): (fields: unknown) => Static<Schema> {
  const read = createBodyReader(schema);
  return (fields) => {
    const outcome = read(fields);
    if (!outcome.ok) throw invalid(outcome.faults);
    return outcome.value;
  };
}

const MALFORMED = /: (?:expected|required|must be)\b/;
const UNAVAILABLE = new Set([429, 503]);
/** Seconds to wait where a refusal does not say how many. */
const WAIT_S = 60;

/** Describes a form's failure in the visitor's language, and logs it if it is our own fault. */
export function failureOf(error: unknown, values: FormValues, { look, sentences, log }: FailureFacts): FormFailure {
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
  const alert = isAtFields ? look.words.alerts.check : alertOf(failure, look, sentences);
  return { status, headers: retryAfter(failure), state: { values, faults: isAtFields ? faults : {}, alert } };
}

interface FailureFacts {
  look: Pick<AccountTheme, "language" | "words">;
  sentences: Sentences;
  log: Log;
}

function alertOf(failure: HttpError, { language, words }: FailureFacts["look"], { statuses }: Sentences): string {
  const { status } = failure;
  const { alerts } = words;
  const own = statuses?.[status];
  if (own !== undefined) return own;
  if (status === 429) return alerts.tooMany(waitIn(language, Number(waitSeconds(failure) ?? WAIT_S)));
  if (status === 503) return alerts.unavailable;
  if (status === 403) return alerts.forbidden;
  return status === 500 ? alerts.failed : alerts.check;
}

const waitSeconds = ({ headers }: HttpError): string | undefined => headers?.["retry-after"];

const retryAfter = (failure: HttpError): Record<string, string> | undefined => {
  const seconds = waitSeconds(failure);
  return seconds === undefined ? undefined : { "retry-after": seconds };
};
