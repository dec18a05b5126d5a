import { expect, test } from "bun:test";
import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { COORDINATOR_TABLES, DISTRIBUTED_TABLES, REFERENCE_TABLES } from "@/platform/db/citus/citus-tables";
import * as schema from "@/platform/db/schema";

const tables = Object.values<unknown>(schema)
  .filter((entry) => is(entry, PgTable))
  .map((table) => getTableConfig(table));

test("every table of the schema is in exactly one of the three lists", () => {
  const listed = [...DISTRIBUTED_TABLES, ...REFERENCE_TABLES, ...COORDINATOR_TABLES];
  expect(listed.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});

test("a distributed table has the organization in its primary key, and no foreign key or unique constraint", () => {
  const distributed = tables.filter(({ name }) => DISTRIBUTED_TABLES.some((each) => each === name));
  const keys = distributed.map(({ name, primaryKeys }) => [
    name,
    primaryKeys.map(({ columns }) => columns.some((column) => column.name === "org_id")),
  ]);
  expect(keys).toEqual(distributed.map(({ name }) => [name, [true]]));
  expect(distributed.flatMap(({ foreignKeys, uniqueConstraints }) => [...foreignKeys, ...uniqueConstraints])).toEqual(
    [],
  );
});
