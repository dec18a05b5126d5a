/**
 * Imports: the job, the file that it reads, and its ledger. The server that holds a job's lease does it. What it has
 * done is written in the transaction that moves the job's cursor.
 */
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import type { ImportCounts, ImportOptions, ImportResult, ImportStatus, ImportTask } from "@/contract/links/imports";
import type { Actor } from "@/core/ids";
import type { ApiCursor } from "@/core/imports/apis/api";
import type { PassedPlace } from "@/core/imports/apis/circle";
import type { CountedVisits } from "@/core/imports/apis/visits";
import type { LinkDifference, NotAsked, OldAddressResponse } from "@/core/imports/differences";
import type { DroppedField } from "@/core/imports/old-link";
import type { ApiForm, FileFormat } from "@/core/imports/sniff";
import { organizations } from "../accounts/organizations";
import { bytes, createdAt, instantColumn, orgId, primaryId, updatedAt } from "../columns";
import { links } from "./links";

export interface ImportFile {
  name: string;
  bytes: number;
  /** SHA-256 in hexadecimal digits. */
  hash: string;
  encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
  form: FileFormat | ApiForm;
}

/** How far the pages of an API have been fetched. Each page is a part of the file. */
export interface FetchState {
  /** When the first request was sent, in Unix milliseconds; absent until then. */
  startedAt?: number;
  cursor: ApiCursor;
  pages: number;
  items: number;
  /** Consecutive requests that failed. */
  failures: number;
  /** Consecutive requests that were refused because of a limit; absent in states of earlier releases. */
  limits?: number;
  /** A hash of the link whose own request failed in the last of them; absent if another one did. */
  failing?: string;
  /** Links that came without what their own requests ask for; absent if all of these were answered. */
  lost?: number;
  /** Consecutive pages without anything new. */
  idle: number;
  /** Hashes of the addresses on the previous page. */
  seen: string[];
  /** A hash of where the list was before; absent at its beginning, and in states of earlier releases. */
  passed?: PassedPlace;
  /** How far the visits of the links have been fetched, once all links are listed; absent until then. */
  visits?: VisitsState;
  isDone: boolean;
}

/** The links of the pages before `page`, and those of this one before `next`, are done except for the open ones. */
export interface VisitsState {
  page: number;
  next: number;
  /** Links whose visits take several requests, by their places on the page. */
  open: (CountedVisits & { place: number })[];
  /** The key may not read visits: the links that are not done come without their days. */
  isRefused?: true;
}

export const imports = pgTable(
  "imports",
  {
    id: primaryId(),
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    file: jsonb("file").$type<ImportFile>().notNull(),
    /** Sealed; erased once everything has been fetched, and whenever the job ends. */
    credentials: bytes("credentials"),
    /** Null for an upload. */
    fetched: jsonb("fetched").$type<FetchState>(),
    options: jsonb("options").$type<ImportOptions>().notNull(),
    /** On whose behalf the job runs. */
    actor: jsonb("actor").$type<Actor>().notNull(),
    task: text("task").$type<ImportTask>().notNull().default("import"),
    status: text("status").$type<ImportStatus>().notNull().default("queued"),
    /** Records of the file that are done or, in a rollback, rows of the ledger. */
    cursor: integer("cursor").notNull().default(0),
    /** The share of the file that is done, from 0 to 1. */
    progress: doublePrecision("progress").notNull().default(0),
    counts: jsonb("counts").$type<ImportCounts>().notNull().default({}),
    error: text("error"),
    /** How often the job was begun or continued since one of its steps last committed. */
    attempts: smallint("attempts").notNull().default(0),
    /** Whether a rollback also removes links that were changed since the import. */
    isForced: boolean("is_forced").notNull().default(false),
    /** Whether a verification also requests the old addresses. */
    asksOld: boolean("asks_old").notNull().default(false),
    leasedBy: uuid("leased_by"),
    leasedUntil: instantColumn("leased_until"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    finishedAt: instantColumn("finished_at"),
  },
  (table) => [
    index("imports_org").on(table.orgId, table.id),
    index("imports_open").on(table.id).where(sql`${table.status} in ('queued', 'running')`),
  ],
);

/** The file as it was received, in parts; written before the import is. */
export const importChunks = pgTable(
  "import_chunks",
  {
    importId: uuid("import_id").notNull(),
    number: integer("number").notNull(),
    orgId: orgId(),
    content: bytes("content").notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.number] }), index("import_chunks_age").on(table.createdAt)],
);

/** The ledger. A record of the file has a row for each link made from it. */
export const importRows = pgTable(
  "import_rows",
  {
    importId: uuid("import_id").notNull(),
    row: integer("row").notNull(),
    part: smallint("part").notNull(),
    orgId: orgId(),
    address: text("address").notNull(),
    result: text("result").$type<ImportResult>().notNull(),
    /** What a rollback found: it changes `result`, and another one still has to know. Null if none came to this row. */
    resultBefore: text("result_before").$type<ImportResult>(),
    linkId: uuid("link_id"),
    why: text("why"),
    dropped: jsonb("dropped").$type<DroppedField[]>(),
    clicksBefore: bigint("clicks_before", { mode: "number" }),
    /** The former clicks that a replaced link had, or that a new one took over: a rollback leaves them. */
    clicksReplaced: bigint("clicks_replaced", { mode: "number" }),
    differences: jsonb("differences").$type<LinkDifference[]>(),
    asked: jsonb("asked").$type<OldAddressResponse | NotAsked>(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.row, table.part] }),
    index("import_rows_org").on(table.orgId),
  ],
);

/**
 * The days of the clicks that imported links had before. A link has a row for each import that told some; the latest
 * one holds. A rollback deletes the rows of its import, and those that are left hold again. They count only as far as
 * `clicks_before` of the link does.
 */
export const formerClickDays = pgTable(
  "former_click_days",
  {
    orgId: orgId(),
    linkId: uuid("link_id")
      .notNull()
      .references(() => links.id, { onDelete: "cascade" }),
    importId: uuid("import_id").notNull(),
    /** UTC days in their order, and the clicks of each. */
    days: date("days").array().notNull(),
    counts: bigint("counts", { mode: "number" }).array().notNull(),
    /** The sum of the counts. */
    total: bigint("total", { mode: "number" }).notNull(),
    lastDay: date("last_day").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.linkId, table.importId] }),
    /** Most ranges that are asked for begin after the last day of all links. */
    index("former_click_days_last").on(table.orgId, table.lastDay),
  ],
);

/**
 * The former clicks of all links of an organization, in all and by day, since summing millions of days takes seconds.
 * They are valid as long as their version is that of the organization's imports (`analytics/imported-sums`), which
 * every change of these clicks renews.
 */
export const formerClickSums = pgTable("former_click_sums", {
  orgId: orgId()
    .primaryKey()
    .references(() => organizations.id, { onDelete: "cascade" }),
  version: text("version").notNull(),
  /** The links that have some. */
  links: integer("links").notNull(),
  clicks: bigint("clicks", { mode: "number" }).notNull(),
  /** UTC days in their order, and the clicks of each. */
  days: date("days").array().notNull(),
  counts: bigint("counts", { mode: "number" }).array().notNull(),
});
