/** Finds users by their id, or by their email address in any of its spellings. */
import { eq, inArray } from "drizzle-orm";
import { emailSpellings } from "@/platform/hosts/email-address";
import { users } from "../schema";
import type { Db } from "../tx";

export type UserRow = typeof users.$inferSelect;

export const findUser = async (db: Db, id: string): Promise<UserRow | undefined> =>
  (await db.select().from(users).where(eq(users.id, id)))[0];

/** Returns the user whose address is spelled like the given one, or else one with another spelling of it. */
export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  const spellings = emailSpellings(email);
  const rows = await db.select().from(users).where(inArray(users.email, spellings));
  return spellings.flatMap((spelling) => rows.filter((row) => row.email === spelling)).at(0);
}
