/** Steps that judge different parts of one request: what is wrong in any of them is told in one answer. */
import { HttpError, invalid } from "./errors";

/**
 * What each step resolves to, once all have. Where some throw what the client did wrong, it throws one 400 with all their
 * details; where all of those say that something is not there, the first 404. Whatever else a step throws goes first.
 */
export async function together<Steps extends readonly unknown[] | []>(steps: Steps) {
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

/** The details of what the work throws for the client's doing; none where it throws nothing. */
export async function faultsOf(work: () => unknown): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (isFault(error)) return detailsOf(error);
    throw error;
  }
}

/** What the work comes to; each detail of what it throws stands behind the field that the work is about. */
export async function within<Result>(field: string, work: () => Result | Promise<Result>): Promise<Result> {
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
