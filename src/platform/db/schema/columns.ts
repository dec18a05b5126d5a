/** Column shapes that the tables share. Ids are UUIDv7, made by the service; instants are `timestamptz`. */
import { customType, timestamp, uuid } from "drizzle-orm/pg-core";

export const primaryId = () => uuid("id").primaryKey();
export const orgId = () => uuid("org_id").notNull();
export const instantColumn = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });
export const createdAt = () => instantColumn("created_at").notNull().defaultNow();
export const updatedAt = () => instantColumn("updated_at").notNull().defaultNow();

export const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => "bytea",
  toDriver: (value) => Buffer.from(value),
});

/** A transaction's id, which is never used again. */
export const transactionId = customType<{ data: string }>({ dataType: () => "xid8" });
