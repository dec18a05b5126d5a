/**
 * The header of a CSV, held against what a source calls its columns. A column is never guessed: where two could be one field,
 * the header does not fit until a mapping says which.
 */
import type { LinkOrigin } from "./source";

/** By column of the file: the field, or undefined for one that means nothing. */
export type HeaderFields = readonly (string | undefined)[];

export type HeaderMatch = { fields: HeaderFields } | { fault: string };

/** Which field each column is, as its user names it: column → field, or null for none. */
export type ColumnMapping = Readonly<Record<string, string | null>>;

/** Columns that a fault names. */
const TOLD_MAX = 20;
const TOLD_LENGTH_MAX = 40;

/** Whatever else a header has: `Short link`, `short_link` and `shortLink` are one. */
const normalisedHeader = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}]/gu, "");

export function matchHeader(
  header: readonly string[],
  source: LinkOrigin,
  mapping: ColumnMapping = {},
  needed: readonly string[] = source.needs ?? source.signs ?? [],
): HeaderMatch {
  const { columns, positions, title } = source;
  if (columns === undefined) return { fault: `${title} has no CSV: send its JSON` };
  const fault = mappingFault(header, columns, mapping);
  if (fault) return { fault };
  const fields = header.map((name) => mappedField(name, mapping, () => fieldOf(name, source)));
  if (positions?.length === header.length) fillByPosition(fields, positions);
  const doubled = fields.find((field, index) => field !== undefined && fields.indexOf(field) !== index);
  if (doubled !== undefined) {
    const names = header.filter((_, index) => fields[index] === doubled);
    return { fault: `${names.join(" and ")} could both be ${doubled}: say which in \`mapping\`` };
  }
  const missing = needed.filter((field) => !fields.includes(field));
  return missing.length > 0 ? { fault: `${title}: ${missingFault(missing, header)}` } : { fields };
}

function missingFault(missing: readonly string[], header: readonly string[]): string {
  const names = header.map((name) => name.trim().slice(0, TOLD_LENGTH_MAX)).filter((name) => name !== "");
  const told = [...names.slice(0, TOLD_MAX), ...(names.length > TOLD_MAX ? ["…"] : [])].join(", ");
  const way = told === "" ? "" : `. Say in \`mapping\` which it is of ${told}`;
  return `no column for ${missing.join(" and ")}${way}`;
}

function mappingFault(header: readonly string[], columns: NonNullable<LinkOrigin["columns"]>, mapping: ColumnMapping) {
  for (const [column, field] of Object.entries(mapping)) {
    if (!header.some((name) => name.trim() === column.trim())) return `mapping: the file has no column ${column}`;
    if (field !== null && !Object.hasOwn(columns, field))
      return `mapping: there is no field ${field}; fields are ${Object.keys(columns).join(", ")}`;
  }
  return undefined;
}

/** A field that the mapping names belongs to its column alone. */
function mappedField(name: string, mapping: ColumnMapping, find: () => string | undefined): string | undefined {
  const mapped = Object.entries(mapping).find(([column]) => column.trim() === name.trim());
  if (mapped) return mapped[1] ?? undefined;
  const field = find();
  return field !== undefined && Object.values(mapping).includes(field) ? undefined : field;
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
