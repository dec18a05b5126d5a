/** Ids for tests that insert thousands of rows. */
import type { Sql } from "postgres";

/** Returns an SQL expression for a new UUIDv7 per row, dated `age` ago, which works in every Postgres version. */
export const idOf = (sql: Sql, age = "0 seconds") => sql`
  (lpad(to_hex((extract(epoch from statement_timestamp() - ${age}::interval) * 1000)::bigint), 12, '0') || '7'
    || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`;
