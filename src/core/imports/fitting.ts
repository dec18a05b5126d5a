/** Builds an old link. What exceeds our limits is cut or left out, and reported in `dropped`. */
import { LINK_LIMITS } from "@/contract/links/links";
import { SOCIAL_LIMITS, type Social } from "@/contract/links/social";
import { UTM_LENGTH_MAX } from "@/contract/routing";
import { UTM_FIELDS } from "@/contract/utm-fields";
import { normaliseDestination } from "../routing/destination";
import { isStraight, ownerOfHost } from "./addresses";
import type { ClicksByDay, DroppedField, OldAddress, OldApp, OldLink, OldLinkFields, OldRecord } from "./old-link";
import type { SourceRecord } from "./record";

export const TOO_MANY_RULES = `left out: a link has at most ${LINK_LIMITS.rulesMax} rules`;

/** The field that is reported for a link whose password is unknown. */
export const LOST_PASSWORD = "password";
const TITLE_MAX = 255;
const NOTES_MAX = 2_000;
const EXTERNAL_ID_MAX = 255;

interface Found {
  address: OldAddress | undefined | null;
  /** The address as the file has it, for users who read the ledger. */
  written: string;
  destination: string | undefined;
  fields?: Omit<OldLinkFields, "defaultUrl">;
  app?: OldApp;
  createdAt?: number;
  clicksBefore?: number;
  clicksByDay?: ClicksByDay;
  dropped?: readonly DroppedField[];
  /** Whose file does not have the link's password. Without it, the link would be open to everybody: it is turned off. */
  passwordLostBy?: string;
}

/**
 * Refuses a record whose address cannot be read or would not be preserved, one for the root of a domain, and one
 * without a destination.
 */
export function buildOldRecord({ address, written, destination, passwordLostBy, ...found }: Found): OldRecord {
  if (address === undefined) return { refused: "its address cannot be read", address: written };
  if (address?.path === "")
    return { refused: "the root of a domain: set `redirects.root` of the domain instead", address: written };
  if (address && !isStraight(address.path))
    return { refused: "its path has empty or relative segments, which browsers would change", address: written };
  if (destination === undefined) return { refused: "it has no destination", address: written };
  const isLost = passwordLostBy !== undefined;
  const dropped = [...(isLost ? [passwordLost(passwordLostBy)] : []), ...(found.dropped ?? [])];
  const isActive = isLost ? false : found.fields?.isActive;
  const fields = fitted({ ...found.fields, isActive, defaultUrl: destination }, dropped);
  const owner = address?.host ? ownerOfHost(address.host) : undefined;
  if (owner && address?.host)
    dropped.push({ field: "host", why: `${address.host} belongs to ${owner}: the old address does not move` });
  const link: OldLink = {
    ...{ address, fields, app: found.app ?? null, dropped },
    ...{ createdAt: found.createdAt ?? null, clicksBefore: found.clicksBefore ?? null },
    ...(found.clicksByDay && { clicksByDay: found.clicksByDay }),
    ...(isLost && { lostPassword: { isActive: found.fields?.isActive } }),
  };
  return { links: [link] };
}

function fitted(fields: OldLinkFields, dropped: DroppedField[]): OldLinkFields {
  const { externalId, ...others } = fields;
  const known = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  const { title, notes, tags } = fields;
  return {
    ...known,
    defaultUrl: fields.defaultUrl,
    ...(title && { title: cut("title", title, TITLE_MAX, dropped) }),
    ...(notes && { notes: cut("notes", notes, NOTES_MAX, dropped) }),
    ...(tags && { tags: fittingTags(tags, dropped) }),
    ...(externalId && isShort("externalId", externalId, EXTERNAL_ID_MAX, dropped) && { externalId }),
  };
}

/** Reports text that is too long, and would mean something else if it were cut. */
function isShort(field: string, text: string, charactersMax: number, dropped: DroppedField[]): boolean {
  if ([...text].length <= charactersMax) return true;
  dropped.push({ field, why: `left out: it has more than ${charactersMax} characters` });
  return false;
}

function cut(field: string, text: string, charactersMax: number, dropped: DroppedField[]): string {
  if (text.length <= charactersMax) return text;
  const characters = [...text];
  if (characters.length <= charactersMax) return text;
  dropped.push({ field, why: `cut to ${charactersMax} characters` });
  return characters.slice(0, charactersMax).join("").trimEnd();
}

function fittingTags(tags: readonly string[], dropped: DroppedField[]): string[] {
  const short = tags.filter((tag) => [...tag].length <= LINK_LIMITS.tagLengthMax);
  if (short.length < tags.length)
    dropped.push({ field: "tags", why: `a tag has at most ${LINK_LIMITS.tagLengthMax} characters` });
  if (short.length > LINK_LIMITS.tagsMax)
    dropped.push({ field: "tags", why: `a link has at most ${LINK_LIMITS.tagsMax} tags` });
  return short.slice(0, LINK_LIMITS.tagsMax);
}

/** Reports fields that have a value but no counterpart here. */
export const unsupportedFields = (record: SourceRecord, whys: Readonly<Record<string, string>>): DroppedField[] =>
  Object.entries(whys).flatMap(([field, why]) => (record.says(field) ? [{ field, why }] : []));

/** Reports dates and numbers that cannot be read: guessing one would invent it. */
export const unreadFields = (
  record: SourceRecord,
  { instants = [], counts = [] }: { instants?: readonly string[]; counts?: readonly string[] },
): DroppedField[] => [
  ...instants
    .filter((field) => record.says(field) && record.instant(field) === undefined)
    .map((field) => ({ field, why: "is not a date like 2026-01-31T12:00:00Z" })),
  ...counts
    .filter((field) => record.says(field) && record.count(field) === undefined)
    .map((field) => ({ field, why: "is not a whole number" })),
];

export function oldUtmOf(
  record: SourceRecord,
  nameOf: (name: string) => string,
  dropped: DroppedField[],
): OldLinkFields["utm"] {
  const known = UTM_FIELDS.flatMap((name) => {
    const [field, value] = [nameOf(name), record.text(nameOf(name))];
    return value !== undefined && isShort(field, value, UTM_LENGTH_MAX, dropped) ? [[name, value] as const] : [];
  });
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

/** Returns the URL in this field if links can lead there. Reports one that they cannot. */
export function oldUrlOf(record: SourceRecord, field: string, dropped: DroppedField[]): string | undefined {
  const url = record.text(field);
  return url !== undefined && isUsableUrl(field, url, dropped) ? url : undefined;
}

/** True if links can lead to the URL. Reports one to which they cannot. */
export function isUsableUrl(field: string, url: string, dropped: DroppedField[]): boolean {
  const checked = normaliseDestination(url);
  if (!checked.ok) dropped.push({ field, why: `left out: ${checked.fault}` });
  return checked.ok;
}

/** The fields of a social card, by their names at the source. */
interface CardFields {
  title: string;
  description: string;
  imageUrl: string;
}

export function oldCardOf(record: SourceRecord, fields: CardFields, dropped: DroppedField[]): Social | undefined {
  const [title, description] = [record.text(fields.title), record.text(fields.description)];
  const imageUrl = oldUrlOf(record, fields.imageUrl, dropped);
  if (!title && !description && !imageUrl) return undefined;
  const { titleLengthMax, descriptionLengthMax } = SOCIAL_LIMITS;
  return {
    ...(title && { title: cut(fields.title, title, titleLengthMax, dropped) }),
    ...(description && { description: cut(fields.description, description, descriptionLengthMax, dropped) }),
    ...(imageUrl && { imageUrl }),
  };
}

/** Returns undefined if the file has no tags at all: a link that it replaces then keeps its own. */
export const oldTagsOf = (record: SourceRecord, separators: RegExp): string[] | undefined =>
  record.mentions("tags") ? record.names("tags", separators) : undefined;

export const isoOf = (instant: number | undefined): string | undefined =>
  instant === undefined ? undefined : new Date(instant).toISOString();

export const TURNED_OFF = { isActive: false } as const;

const passwordLost = (service: string): DroppedField => ({
  field: LOST_PASSWORD,
  why: `${service} does not export passwords: the link stays off until you set one`,
});
