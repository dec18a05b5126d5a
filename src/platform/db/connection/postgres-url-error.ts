/** Describes what is wrong with an address of Postgres without naming any part of it. */
export class PostgresUrlError extends Error {
  override name = "PostgresUrlError";
}
