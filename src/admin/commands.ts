/**
 * The operator's commands, by name. Each returns what it did, or why it could not, in a sentence. A command's code is
 * loaded only when the command is run.
 */
import type { Config } from "@/config";
import { PLANS } from "@/contract/accounts/plans";
import type { DatabaseUrls } from "@/platform/db/addresses";
import type { Database } from "@/platform/db/client";
import type { Db } from "@/platform/db/tx";
import type { Log } from "@/platform/telemetry/log";
import type { CommandOutcome } from "./outcome";

/** What a command needs to do the work of a service. */
export interface CommandParts {
  config: Config;
  databaseUrls: DatabaseUrls;
  log: Log;
}

export interface Command {
  parameters: string[];
  /** In addition to `parameters`, in any order; the command parses them itself. */
  options?: string;
  does: string;
  /** The command migrates the schema itself, once it has checked that it may. */
  migratesItself?: true;
  run(db: Db, values: string[], database: Pick<Database, "db" | "sql">, parts: CommandParts): Promise<CommandOutcome>;
}

const IMPORT_USAGE =
  "<source> <file> --org <organization> [--dry-run] [--domain <old host>=<domain>] [--map <column>=<field>] " +
  "[--on-conflict skip|suffix|replace] [--notify]\n        imports links of another service and writes <file>.ledger.csv; auto recognizes the source";

export const commands: Record<string, Command> = {
  organizations: {
    parameters: [],
    does: "lists organizations with plan, members and links",
    run: async (db) => (await import("./organizations")).listOrganizations(db),
  },
  accounts: {
    parameters: [],
    does: "lists accounts with their sign-in methods and last sign-in",
    run: async (db) => (await import("./accounts")).listAccounts(db),
  },
  "create-account": {
    parameters: ["email", "name"],
    does: "creates an account and shows its password once",
    run: async (db, values) => (await import("./create")).createAccount(db, values),
  },
  "create-organization": {
    parameters: ["name", "email", "plan"],
    does: "creates an organization that the account with this email owns",
    run: async (db, values) => (await import("./create")).createOrganization(db, values),
  },
  "add-owner": {
    parameters: ["organization", "email"],
    does: "adds an owner to an organization",
    run: async (db, values) => (await import("./addresses")).addOwner(db, values),
  },
  plan: {
    parameters: ["organization", "plan"],
    does: `sets the plan: ${PLANS.join(", ")}`,
    run: async (db, values) => (await import("./organizations")).setPlan(db, values),
  },
  "reset-password": {
    parameters: ["email"],
    does: "sets a new password and shows it once; ends all sessions",
    run: async (db, values) => (await import("./accounts")).resetPassword(db, values),
  },
  unlock: {
    parameters: ["email"],
    does: "turns two-factor off for someone who lost it; ends all sessions",
    run: async (db, values) => (await import("./accounts")).unlock(db, values),
  },
  "verify-email": {
    parameters: ["email"],
    does: "confirms an account's email address",
    run: async (db, values) => (await import("./addresses")).verifyEmail(db, values),
  },
  export: {
    parameters: ["organization"],
    does: "writes all its data except secrets to standard output, as a .tar.gz of JSON lines",
    run: async (_, [name = ""], database) => (await import("./export-organization")).exportOrganization(database, name),
  },
  import: {
    parameters: ["archive"],
    options: `or: ${IMPORT_USAGE}`,
    does: "imports an organization from an archive that export wrote, and counts its figures",
    run: async (db, values, database, parts) => {
      await (await import("@/platform/shared-rows")).createSharedDomain(db, parts.config.shortDomain);
      return values.length === 1
        ? (await import("./import-organization")).importOrganization(database, values[0] ?? "")
        : (await import("./import-links")).importLinks({ db: database.db, ...parts }, values);
    },
  },
  delete: {
    parameters: ["organization", "slug"],
    does: "permanently deletes an organization with all its data; repeat the slug to confirm",
    run: async (_, values, database) => (await import("./delete-organization")).deleteOrganization(database, values),
  },
  erase: {
    parameters: ["organization", "visitor"],
    does: "erases a visitor's data, by visitorId or email; figures stay",
    run: async (_, values, database) => (await import("./erase-visitor")).eraseVisitor(database, values),
  },
  "verify-rollups": {
    parameters: [],
    options: "[--from <day>] [--to <day>] [--org <organization>] [--mend]",
    does: "compares all figures with the raw clicks, opens and events; --mend corrects them",
    run: async (_, values, database) => (await import("./verify-rollups")).verifyRollups(database, values),
  },
  "store-columns": {
    parameters: [],
    options: "[--org <organization>]",
    does: "prepares past days of clicks for filters now",
    run: async (_, values, database) => (await import("./store-columns")).storeColumns(database, values),
  },
  distribute: {
    parameters: [],
    options: "[--dry-run] [--shards <number>] [--columnar-after <days>d] [--rows <month>]",
    does: "spreads clicks and figures over the workers of a Citus cluster, by organization",
    migratesItself: true,
    run: async (_, values, { sql }, parts) =>
      (await import("./citus/distribute")).distribute({ sql, ...parts }, values),
  },
};
