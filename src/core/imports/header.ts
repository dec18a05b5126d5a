/**
 * Matches the header of a CSV with the column names of a source. It never guesses: if two columns could be the same
 * field, the header does not match until a mapping says which one is meant.
 */
import type { FieldSets, LinkOrigin } from "./source";

/** For each column of the file its field, or undefined if the column is ignored. */
export type HeaderFields = readonly (string | undefined)[];

export type HeaderMatch = { fields: HeaderFields } | { fault: string };

/** The user's mapping from column to field; null ignores the column. */
export type ColumnMapping = Readonly<Record<string, string | null>>;

/** The most columns that an error message names. */
const TOLD_MAX = 20;
const TOLD_LENGTH_MAX = 40;

/** Keeps only letters, in lower case: `Short link`, `short_link` and `shortLink` are the same. */
const normalisedHeader = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}]/gu, "");

export function matchHeader(
  header: readonly string[],
  source: LinkOrigin,
  mapping: ColumnMapping = {},
  needed: FieldSets = source.needs ?? source.signs ?? [],
): HeaderMatch {
  const { columns, positions, title } = source;
  if (columns === undefined) return { fault: `${title} has no CSV export: upload its JSON` };
  const fault = mappingFault(header, columns, mapping);
  if (fault) return { fault };
  const mapped = new Map(Object.entries(mapping).map(([column, field]) => [column.trim(), field]));
  // A field that the mapping assigns belongs to that column only.
  const assigned = new Set(mapped.values());
  const fields = header.map((name) => {
    const given = mapped.get(name.trim());
    if (given !== undefined) return given ?? undefined;
    const field = fieldOf(name, source);
    return field !== undefined && assigned.has(field) ? undefined : field;
  });
  if (positions?.length === header.length) fillByPosition(fields, positions);
  const doubled = fields.find((field, index) => field !== undefined && fields.indexOf(field) !== index);
  if (doubled !== undefined) {
    const names = header.filter((_, index) => fields[index] === doubled).map((name) => name.trim());
    return { fault: doubledFault(names, doubled) };
  }
  const missing = leastMissing(needed, fields);
  return missing.length > 0 ? { fault: `${title}: ${missingFault(missing, header)}` } : { fields };
}

/** Returns what is missing of the list that is most complete. */
function leastMissing(needed: FieldSets, fields: HeaderFields): readonly string[] {
  const missing = needed.map((set) => set.filter((field) => !fields.includes(field)));
  return missing.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

/** A mapping goes by the columns' names, and cannot tell two of the same name apart. */
function doubledFault(names: readonly string[], field: string): string {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return `${names.join(" and ")} could both be ${field}: say which in \`mapping\``;
  return `several columns are named ${twice}: rename or delete all but one`;
}

function missingFault(missing: readonly string[], header: readonly string[]): string {
  const names = header.map((name) => name.trim().slice(0, TOLD_LENGTH_MAX)).filter((name) => name !== "");
  const told = [...names.slice(0, TOLD_MAX), ...(names.length > TOLD_MAX ? ["…"] : [])].join(", ");
  const way = told === "" ? "" : `. Say in \`mapping\` which it is of ${told}`;
  return `no column for ${missing.join(" and ")}${way}`;
}

function mappingFault(header: readonly string[], columns: NonNullable<LinkOrigin["columns"]>, mapping: ColumnMapping) {
  const names = new Set(header.map((name) => name.trim()));
  for (const [column, field] of Object.entries(mapping)) {
    if (!names.has(column.trim())) return `mapping: the file has no column ${column}`;
    if (field !== null && !Object.hasOwn(columns, field))
      return `mapping: there is no field ${field}; fields are ${Object.keys(columns).join(", ")}`;
  }
  return undefined;
}

function fieldOf(name: string, { columns = {}, fieldOf: ownFieldOf }: LinkOrigin): string | undefined {
  const known = ownFieldOf?.(name);
  if (known !== undefined) return known;
  const normalised = normalisedHeader(name);
  return Object.entries(columns).find(([, synonyms]) => synonyms.includes(normalised))?.[0];
}

function fillByPosition(fields: (string | undefined)[], positions: readonly string[]): void {
  for (const [index, field] of positions.entries()) {
    if (fields[index] === undefined && !fields.includes(field)) fields[index] = field;
  }
}
