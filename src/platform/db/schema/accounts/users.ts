/** Accounts, and the records that two-factor authentication and password resets need. */
import { bigint, boolean, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, instantColumn, primaryId, updatedAt } from "../columns";

export const users = pgTable("users", {
  id: primaryId(),
  /** Lower-cased. */
  email: text("email").notNull().unique(),
  name: text("name").notNull(),
  /**
   * Until when the address is held for an account that was asked to confirm it and has not; null once it has, and for
   * accounts that were never asked. After that, the account stays until someone else registers the address.
   */
  addressHeldUntil: instantColumn("address_held_until"),
  /** Null for an account that signs in only through single sign-on. */
  passwordHash: text("password_hash"),
  twoFactorEnabled: boolean("two_factor_enabled").notNull().default(false),
  /**
   * The TOTP seed, sealed (`platform/seal`). While two-factor is not enabled, the one that was set up and is not
   * confirmed yet.
   */
  totpSecret: bytes("totp_secret"),
  /** The last 30-second step whose code was used: a code works only once. */
  totpLastStep: bigint("totp_last_step", { mode: "number" }),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

/** Recovery codes for two-factor authentication: each works once, in place of a code. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    id: primaryId(),
    userId: userId(),
    /** SHA-256 of the code. */
    hash: bytes("hash").notNull(),
    usedAt: instantColumn("used_at"),
  },
  (table) => [index("recovery_codes_user").on(table.userId)],
);

/** A sign-in that waits for its second factor. Its id is in the challenge token. */
export const loginChallenges = pgTable(
  "login_challenges",
  {
    id: primaryId(),
    userId: userId(),
    tries: integer("tries").notNull().default(0),
    expiresAt: instantColumn("expires_at").notNull(),
    usedAt: instantColumn("used_at"),
    createdAt: createdAt(),
  },
  (table) => [index("login_challenges_user").on(table.userId), index("login_challenges_expires").on(table.expiresAt)],
);

export const passwordResets = pgTable(
  "password_resets",
  {
    id: primaryId(),
    userId: userId(),
    /** SHA-256 of the token, which is only in the mail. */
    hash: bytes("hash").notNull().unique(),
    expiresAt: instantColumn("expires_at").notNull(),
    usedAt: instantColumn("used_at"),
    createdAt: createdAt(),
  },
  (table) => [index("password_resets_user").on(table.userId), index("password_resets_expires").on(table.expiresAt)],
);

function userId() {
  return uuid("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });
}
