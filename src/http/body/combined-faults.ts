/** Runs steps that check different parts of one request, so that one response lists the faults of all. */
import { HttpError, invalid } from "../errors";

/**
 * Resolves to the results of all steps. If some reject because of the client's input, throws one 400 with all their
 * details, or the first 404 if all of those are 404. Any other failure takes precedence.
 */
export async function awaitAllFaults<Steps extends readonly unknown[] | []>(steps: Steps) {
  const outcomes = await Promise.allSettled(steps);
  const failures = new Set<unknown>(outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason] : [])));
  if (failures.size > 0) throw merged([...failures]);
  return Promise.all(steps);
}

function merged(failures: unknown[]): unknown {
  const faults = failures.filter(isFault);
  if (faults.length < failures.length) return failures.find((failure) => !isFault(failure));
  const [first] = faults;
  if (faults.length === 1 || faults.every(({ status }) => status === 404)) return first;
  return invalid(faults.flatMap(detailsOf));
}

/** Returns the details of the 400 or 404 that the work throws, and none if it succeeds. Rethrows any other error. */
export async function faultsOf(work: () => unknown): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (isFault(error)) return detailsOf(error);
    throw error;
  }
}

/** Returns the result of the work; prefixes each detail of an error it throws with the field that the work concerns. */
export async function withFaultPrefix<Result>(field: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HttpError) || !error.details) throw error;
    const details = error.details.map((detail) => `${field}.${detail}`);
    throw new HttpError(error.status, error.message, details, error.headers);
  }
}

const isFault = (error: unknown): error is HttpError =>
  error instanceof HttpError && (error.status === 400 || error.status === 404);
const detailsOf = ({ details = [] }: HttpError): string[] => details;
