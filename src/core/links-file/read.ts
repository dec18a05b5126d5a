import { type ColumnKind, isLinkColumn, LINK_COLUMNS, linkColumns, type ReadLink } from "./columns";

/** Each fault is `field: what is wrong`, as in an error response. */
export type ReadOutcome = { link: ReadLink } | { faults: string[] };

const EXPECTED: Record<ColumnKind, string> = {
  text: "expected text",
  flag: "expected true or false",
  integer: "expected an integer",
  names: "expected a list of text",
  list: "expected a JSON array",
  object: "expected a JSON object",
};

/** Ignores fields without a column. */
export function readLinkFields(fields: Record<string, unknown>): ReadOutcome {
  const known: Record<string, unknown> = {};
  for (const column of linkColumns) {
    const value = Object.hasOwn(fields, column) ? fields[column] : undefined;
    if (value !== undefined && value !== null) known[column] = value;
  }
  return isSound(known) ? { link: known } : { faults: faultsOf(known) };
}

const isSound = (known: Record<string, unknown>): known is ReadLink => faultsOf(known).length === 0;

const faultsOf = (known: Record<string, unknown>): string[] =>
  Object.entries(known).flatMap(([name, value]) => {
    const kind = isLinkColumn(name) ? LINK_COLUMNS[name] : undefined;
    return kind && !isOfKind(kind, value) ? [`${name}: ${EXPECTED[kind]}`] : [];
  });

function isOfKind(kind: ColumnKind, value: unknown): boolean {
  switch (kind) {
    case "text":
      return typeof value === "string";
    case "flag":
      return typeof value === "boolean";
    case "integer":
      return Number.isSafeInteger(value);
    case "names":
      return Array.isArray(value) && value.every((name) => typeof name === "string");
    case "list":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return kind satisfies never;
  }
}
