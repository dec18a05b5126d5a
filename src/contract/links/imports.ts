/** Imports: links of other services, brought in from a file or an API by a background job. */
import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { byNameFact, nameFact } from "../facts";
import { PLATFORMS } from "../platforms";
import {
  flag,
  id,
  instant,
  list,
  nullable,
  oneOf,
  optional,
  pageOf,
  pageQuery,
  shape,
  text,
  withExample,
} from "../schema";

export const IMPORT_SOURCES = [
  ...(["firebase", "dub", "shlink", "bitly", "yourls", "kutt", "sink", "rebrandly", "shortio"] as const),
  "waymark",
  "csv",
] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];

/** Systems by which other services tell desktops apart. */
export const DESKTOP_SYSTEMS = ["windows", "macos", "linux", "chromeos"] as const;
export type DesktopSystem = (typeof DESKTOP_SYSTEMS)[number];

export const IMPORT_RECORDS_MAX = 1_000_000;
/** Limit of the data fetched from an API. */
export const IMPORT_FETCHED_BYTES_MAX = 2 ** 30;
/** Limit of an organization's unfinished imports. */
export const IMPORTS_OPEN_MAX = 5;
/** Limit of stored imports, with their files and ledgers; older ones are deleted. */
export const IMPORTS_KEPT_MAX = 20;

/** Limit of the differences that the ledger lists of a link. */
export const IMPORT_DIFFERENCES_MAX = 100;

const TASKS = ["import", "verify", "rollback"] as const;
export type ImportTask = (typeof TASKS)[number];
const STATUSES = ["queued", "running", "done", "failed", "cancelled"] as const;
export type ImportStatus = (typeof STATUSES)[number];

export const IMPORT_RESULTS = [
  ...(["created", "suffixed", "replaced", "unchanged", "skipped", "collision", "refused"] as const),
  ...(["removed", "kept"] as const),
] as const;
export type ImportResult = (typeof IMPORT_RESULTS)[number];

/** An object with keys chosen by the client. */
const byName = <Value>(description: string, example: Record<string, Value>) =>
  Type.Unsafe<Record<string, Value>>(
    Type.Object(
      {},
      { additionalProperties: Type.Unknown(), description, examples: [example], error: "expected an object" },
    ),
  );

const onConflict = oneOf(
  ["skip", "suffix", "replace"],
  "If the address is already used: leave that link, add `-2` and so on to the slug, or change your existing link. Defaults to `skip`",
);

export const ImportOptionsInput = shape(
  {
    source: optional(
      oneOf(
        IMPORT_SOURCES,
        "The service the file comes from. Omit it to recognize the file by its header, its objects or its SQL",
      ),
    ),
    mapping: optional(
      byName<string | null>("For CSV: what a column means, by its name in the file; null ignores the column", {
        Kurzlink: "slug",
        Notiz: null,
      }),
    ),
    domainMap: optional(
      byName<string>(
        "The `_id` of the domain for each host in the file; `*` stands for all others, and for files without hosts. A " +
          "host that is one of your verified domains needs no entry",
        { "go.acme.com": "0198f2a4-77d0-7b52-b1c8-2e4f6a8091d3" },
      ),
    ),
    onConflict: optional(withExample("skip", onConflict)),
    dryRun: optional(flag("Only fills the ledger; no link is created or changed")),
    notify: optional(flag("Sends `link.created` for each link; by default, imports send no webhooks")),
    formerClicksByDay: optional(
      flag(
        "For an import from Shlink's API: also fetches the visits of each link to count its former clicks by day, which takes " +
          "a request for each 1,000 of them. A link with more than 100,000 comes without. A dry run fetches none",
      ),
    ),
  },
  { $id: "ImportOptionsInput", additionalProperties: Type.Unknown(), namesKept: "all" },
);
export type ImportOptionsInput = Static<typeof ImportOptionsInput>;

/** The stored form: the source has been determined, and hosts are in lower case. */
export interface ImportOptions {
  source: ImportSource;
  mapping: Record<string, string | null>;
  domainMap: Record<string, string>;
  onConflict: "skip" | "suffix" | "replace";
  dryRun: boolean;
  notify: boolean;
  /** Absent in imports of earlier releases. */
  formerClicksByDay?: boolean;
}

const count = (description: string) => optional(Type.Integer({ description, examples: [12] }));

const Counts = shape({
  fetched: count("Records fetched from the service's API so far"),
  records: count("Records of the file so far"),
  created: count("Links created"),
  suffixed: count("Links created with another slug"),
  replaced: count("Existing links changed"),
  unchanged: count("Links that an earlier import brought in"),
  skipped: count("Links whose address was already used"),
  collision: count("Links whose slug differs from another one in the file only by case"),
  refused: count("Links that could not be created"),
  incomplete: count("Links that came without some of their fields"),
  removed: count("Links removed by the rollback"),
  kept: count("Links that the rollback left, since they have changed or were there before"),
  checked: count("Links that the verification compared"),
  different: count("Links that lead elsewhere than they did before"),
  notCompared: count("Links whose former target is unknown, such as those with a password or a split"),
  asked: count("Old addresses that the verification requested"),
  unanswered: count("Old addresses that did not respond"),
  leadHere: count("Old addresses that were not requested, because their host leads to this service already"),
});
export type ImportCounts = Static<typeof Counts>;

export const Import = shape(
  {
    _id: id(),
    source: withExample("bitly", oneOf(IMPORT_SOURCES)),
    fileName: withExample("links.csv", Type.String({ description: "For an import from an API, its host" })),
    fileBytes: withExample(48_213, Type.Integer()),
    options: shape({
      mapping: byName<string | null>("As sent", {}),
      domainMap: byName<string>("As sent", {}),
      onConflict: withExample("skip", onConflict),
      dryRun: withExample(false, Type.Boolean()),
      notify: withExample(false, Type.Boolean()),
      formerClicksByDay: optional(withExample(true, Type.Boolean())),
    }),
    task: withExample("import", oneOf(TASKS, "What the job is doing, or did last")),
    status: withExample("running", oneOf(STATUSES)),
    progress: withExample(0.42, Type.Number({ description: "From 0 to 1" })),
    counts: Counts,
    error: optional(
      withExample("The file ends within a quoted cell", Type.String({ description: "Why the job failed" })),
    ),
    createdAt: instant(),
    finishedAt: optional(instant()),
  },
  { $id: "Import" },
);
export type Import = Static<typeof Import>;

export const ImportPage = pageOf("imports", Import);
export type ImportPage = Static<typeof ImportPage>;

const Dropped = shape({
  field: withExample("deeplinks", Type.String()),
  why: withExample("add an app profile instead", Type.String()),
});

/** Named like the fields of `POST links/preview`, as far as that has them. */
const VerifiedVisitor = shape(
  {
    summary: withExample("iPhone, DE, ?src=tv", Type.String({ description: "The visitor in words" })),
    platform: optional(withExample("ios", oneOf(PLATFORMS))),
    ...byNameFact((name) => optional(Type.String({ description: nameFact(name).statedAs }))),
    system: optional(oneOf(DESKTOP_SYSTEMS, "For rules by the system of a desktop")),
    isBot: optional(Type.Boolean()),
    osVersion: optional(Type.String()),
    language: optional(Type.String({ description: "The languages that the visitor reads, separated by commas" })),
    query: optional(withExample("src=tv", Type.String({ description: "Query of the short URL" }))),
    referrer: optional(Type.String({ description: "Host of the referring page" })),
    address: optional(Type.String({ description: "IP address" })),
    now: optional(instant("Time of the visit, in UTC; absent for now")),
    visitsBefore: optional(
      Type.Integer({ description: "Visits of others that count towards a limit; absent for none" }),
    ),
  },
  { $id: "VerifiedVisitor", description: "A visitor for whom a link was compared; nothing else is known of this one" },
);

export const ImportRow = shape(
  {
    row: withExample(
      1,
      Type.Integer({
        description:
          "The record's place in the file, from 1, without the header. In an SQL dump, its place in the table of links",
      }),
    ),
    part: withExample(0, Type.Integer({ description: "Counts the links of one record, from 0" })),
    address: withExample("acme.ly/promo", Type.String({ description: "Where the link was before" })),
    result: withExample("created", oneOf(IMPORT_RESULTS)),
    linkId: optional(id()),
    why: optional(withExample("the address is already used", Type.String())),
    dropped: Type.Array(Dropped, { description: "Fields that were not imported, and why" }),
    clicksBefore: optional(
      withExample(4211, Type.Integer({ description: "Clicks at the other service, as it counts them" })),
    ),
    differences: optional(
      list(
        shape({
          visitor: VerifiedVisitor,
          kind: optional(
            withExample(
              "asked",
              oneOf(["asked"], "Set if the old address was asked: `actual` is where it led, not your link"),
            ),
          ),
          expected: withExample("https://acme.com/de", Type.String()),
          actual: withExample("https://acme.com/", Type.String()),
        }),
        IMPORT_DIFFERENCES_MAX,
        "Where visitors are sent elsewhere than before",
      ),
    ),
    asked: optional(
      shape(
        {
          url: withExample("https://acme.ly/promo", Type.String()),
          status: withExample(302, Type.Integer()),
          location: optional(withExample("https://acme.com/p", Type.String({ description: "Where it led" }))),
        },
        { description: "The old address's response to the verification" },
      ),
    ),
    notAsked: optional(
      withExample(
        "go.acme.com leads here already: its answer would be that of your link, and count as a visit",
        Type.String({ description: "Why the verification did not request the old address" }),
      ),
    ),
  },
  { $id: "ImportRow" },
);
export type ImportRow = Static<typeof ImportRow>;

export const ImportRowPage = pageOf("rows", ImportRow);
export type ImportRowPage = Static<typeof ImportRowPage>;

export const LedgerQuery = t.Object({
  ...pageQuery,
  result: optional(oneOf(IMPORT_RESULTS, "Only these rows")),
  different: optional(
    t.BooleanString({ description: "Only rows with differences", error: "different: expected true or false" }),
  ),
});
export type LedgerQuery = Static<typeof LedgerQuery>;

export const LedgerCsv = Type.String({
  contentMediaType: "text/csv",
  examples: ["row,part,address,result\r\n1,0,acme.ly/promo,created\r\n"],
});

export const RollbackInput = shape(
  { force: optional(nullable(flag("Removes links that were changed after the import, too"))) },
  { $id: "RollbackInput", examples: [{ force: false }] },
);
export type RollbackInput = Static<typeof RollbackInput>;

export const VerifyInput = shape(
  {
    askOldAddresses: optional(
      nullable(
        flag(
          "Also requests up to 1,000 old addresses to see where they lead, unless their host already points to this service",
        ),
      ),
    ),
  },
  { $id: "VerifyInput", examples: [{ askOldAddresses: false }] },
);
export type VerifyInput = Static<typeof VerifyInput>;

/** The parts of the upload; they may come in any order. */
export const ImportUpload = Type.Object(
  {
    file: Type.String({
      contentMediaType: "text/csv",
      description: "CSV, JSON or an SQL dump of YOURLS, not compressed, at most 50 MB and 1,000,000 records",
    }),
    options: optional(text(65_536, 0, "An `ImportOptionsInput` as JSON")),
  },
  { $id: "ImportUpload" },
);
