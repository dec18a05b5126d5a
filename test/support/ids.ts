/** Ids for rows that a test writes by the thousand. */
import type { Sql } from "postgres";

/** An expression for UUIDv7 made so long ago, another one for each row; every Postgres has what it takes. */
export const idOf = (sql: Sql, age = "0 seconds") => sql`
  (lpad(to_hex((extract(epoch from statement_timestamp() - ${age}::interval) * 1000)::bigint), 12, '0') || '7'
    || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`;
