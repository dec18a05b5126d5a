/** Explains to the operator, in a sentence, what kept Postgres from doing its part of a start or a command. */
import { type UnavailableReason, unavailableReasonOf } from "./faults";

const HINDERED: Record<UnavailableReason, string> = {
  away: "Postgres became unavailable",
  busy: "Postgres has no connection left",
  entangled: "Another transaction was in the way, so try again",
  locked: "Another transaction held a lock for too long, so try again",
  read_only: "Postgres accepts no writes",
  full: "Postgres is out of space or memory",
  cancelled: "Postgres cancelled a statement",
  columns: "Some of these clicks are in a month that is stored in columns",
};

/** Returns undefined for an error that is not due to Postgres's state. */
export function hindranceOf(error: unknown): string | undefined {
  const reason = unavailableReasonOf(error);
  return reason === null ? undefined : `${HINDERED[reason]}: ${rootMessageOf(error)}`;
}

/** Drizzle wraps the errors of postgres.js, in a message that contains the whole statement. */
function rootMessageOf(error: unknown): string {
  let message = String(error);
  for (let cause = error; cause instanceof Error; cause = cause.cause) message = cause.message;
  return message;
}
