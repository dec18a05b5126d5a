/** Turns the records of a batch into links to create, each checked independently, as in a single creation. */
import { LinkInput } from "@/contract/links/links";
import { isUuid } from "@/core/ids";
import { fitDays } from "@/core/imports/clicks-by-day";
import type { ClicksByDay, DroppedField, OldAddress, OldLink, OldRecord } from "@/core/imports/old-link";
import { unfitFaults } from "@/http/body/unfit";
import { createBodyReader } from "@/http/body/validation";
import { HttpError } from "@/http/errors";
import { addressKeys, lookAlikeKeyAt } from "@/modules/addresses/service";
import type { AddressDomain } from "@/modules/addresses/store";
import type { LinkService } from "@/modules/links/service";
import type { AppFinder } from "./apps";

export type LinkDrafting = ReturnType<LinkService["drafting"]>;
type Draft = Awaited<ReturnType<LinkDrafting>>;

/** The ledger entry of a link, without its outcome. */
export interface LedgerPlace {
  row: number;
  part: number;
  address: string;
  clicksBefore: number | null;
  dropped: DroppedField[];
}

/** By what an address is compared with others. */
export interface ComparedAddress {
  /** Unique; null if the slug is yet to be generated. */
  key: string | null;
  /** What addresses that look like this one have in common, on the shared domain; null elsewhere. */
  look: string | null;
}

export interface Candidate extends LedgerPlace, ComparedAddress {
  draft: Draft;
  input: LinkInput;
  /** The link's id at its source. */
  sourceId: string;
  /** Of its former clicks, those whose days are known. */
  clicksByDay: ClicksByDay | undefined;
  admittedVisits: number | undefined;
  lostPassword: OldLink["lostPassword"];
  /** For our own files, the id of the exported link, if it can be one. */
  exportOf: string | undefined;
  /** Whether that link is one of this organization, deleted or not. */
  isOwnExport: boolean;
}

export interface RefusedRecord extends LedgerPlace {
  refused: string;
}

export interface CandidateParts extends AppFinder {
  domainOf(host: string | null): { id: string; hostname: string } | undefined;
  draft: LinkDrafting;
  /** Identifies the file, to name its links that never had an address. */
  fileHash: string;
  source: string;
  /**
   * Returns the hash for a link at this address. Undefined if nothing will be created: passwords are checked then, but not
   * hashed, which takes long.
   */
  hashPassword: ((password: string, key: string | null) => Promise<string | null>) | undefined;
  /** Unix milliseconds. */
  now: number;
}

const readInput = createBodyReader(LinkInput);
const HASH_DIGITS = 16;
const NO_CLICKS = { clicksBefore: null };

/** A refused link leaves its clicks to the next one of its record, which counts them together. */
export async function candidatesOf(
  record: OldRecord,
  row: number,
  parts: CandidateParts,
): Promise<(Candidate | RefusedRecord)[]> {
  const none = { part: 0, clicksBefore: null, dropped: [] };
  if ("refused" in record) return [{ row, ...none, address: record.address.slice(0, 2_048), refused: record.refused }];
  const found: (Candidate | RefusedRecord)[] = [];
  let left: Pick<OldLink, "clicksBefore" | "clicksByDay"> = NO_CLICKS;
  for (const [part, link] of record.links.entries()) {
    const { clicksBefore, clicksByDay } = link.clicksBefore === null ? left : link;
    const one = await candidateOf({ ...link, clicksBefore, clicksByDay }, row, part, parts);
    left = "refused" in one ? { clicksBefore, clicksByDay } : NO_CLICKS;
    found.push("refused" in one ? { ...one, clicksBefore: link.clicksBefore } : one);
  }
  return found;
}

async function candidateOf(link: OldLink, row: number, part: number, parts: CandidateParts) {
  const { address: old, clicksBefore, createdAt } = link;
  const dropped = [...link.dropped];
  const place = { row, part, clicksBefore, dropped, address: old ? `${old.host ?? ""}/${old.path}` : "" };
  const domain = parts.domainOf(old?.host ?? null);
  if (!domain) return { ...place, refused: noDomain(old) };
  const appProfileId = link.app
    ? await parts.appOf(link.app, dropped)
    : link.profile && parts.profileNamed(link.profile, dropped);
  const path = old ? pathOf(old) : {};
  const given = { ...link.others, ...link.fields, ...path, domainId: domain.id, appProfileId };
  try {
    const checked = readInput(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
    const faults = [...unfitFaults({ ...given, host: old?.host }), ...(checked.ok ? [] : checked.faults)];
    if (!checked.ok || faults.length > 0) return { ...place, refused: faults.join("; ") };
    const { password, ...open } = checked.value;
    const draft = await parts.draft(open);
    const sourceId = old
      ? `${old.host ?? domain.hostname}/${old.path}`
      : `${parts.fileHash.slice(0, HASH_DIGITS)}#${row}`;
    const kept = keeping(draft, { createdAt, clicksBefore, source: parts.source, sourceId }, dropped, parts.now);
    const compared = comparedOf(kept);
    const passwordHash = password ? await parts.hashPassword?.(password, compared.key) : undefined;
    return {
      ...{ ...place, ...compared },
      input: checked.value,
      sourceId,
      clicksByDay: daysOf(link, dropped, parts.now),
      draft: passwordHash === undefined ? kept : closed(kept, passwordHash),
      admittedVisits: link.admittedVisits,
      lostPassword: link.lostPassword,
      exportOf: link.exportOf && isUuid(link.exportOf) ? link.exportOf.toLowerCase() : undefined,
      isOwnExport: false,
    };
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500 || error.status === 429) throw error;
    return { ...place, refused: (error.details ?? [error.message]).join("; ") };
  }
}

function daysOf({ clicksByDay, clicksBefore }: OldLink, dropped: DroppedField[], now: number) {
  if (!clicksByDay) return undefined;
  const { byDay, hasOdd } = fitDays(clicksByDay, clicksBefore ?? 0, now);
  if (hasOdd)
    dropped.push({ field: "clicksByDay", why: "left out where it is not a past day with a number of clicks" });
  return byDay;
}

const noDomain = (old: OldAddress | null): string =>
  old?.host
    ? `no domain for ${old.host}: name one in domainMap, or verify it as a domain`
    : "no domain for links without a host: name one as * in domainMap";

function pathOf({ path }: OldAddress) {
  const segments = path.split("/").filter(Boolean);
  return { slug: segments.at(-1), pathPrefix: segments.slice(0, -1).join("/") };
}

function comparedOf({ domain, slug, rowAt }: Draft): ComparedAddress {
  if (slug === null) return { key: null, look: null };
  return comparedAt(domain, rowAt(slug.slug).pathPrefix, slug.slug);
}

export function comparedAt(domain: AddressDomain, pathPrefix: string | undefined, slug: string) {
  const keys = addressKeys(domain, { pathPrefix, slug });
  const look = lookAlikeKeyAt(domain, keys);
  return { key: `${domain.id} ${keys.prefixKey}/${keys.slugKey}`, look: look && `${domain.id} ${look}` };
}

const closed = (draft: Draft, passwordHash: string | null): Draft => ({
  ...draft,
  rowAt: (slug) => ({ ...draft.rowAt(slug), passwordHash }),
});

interface Origin {
  createdAt: number | null;
  clicksBefore: number | null;
  source: string;
  sourceId: string;
}

/**
 * Adds where the link comes from and when it was created, unless that is in the future. `rowAt` is called several
 * times for the same slug, so its result is remembered.
 */
function keeping(draft: Draft, from: Origin, dropped: DroppedField[], now: number): Draft {
  const { createdAt, clicksBefore, source, sourceId } = from;
  const isPast = createdAt !== null && createdAt <= now;
  if (createdAt !== null && !isPast) dropped.push({ field: "createdAt", why: "it is in the future" });
  const origin = {
    ...{ importedSource: source, importedId: sourceId, clicksBefore: clicksBefore || null },
    createdAt: isPast ? new Date(createdAt) : null,
  };
  let last: { slug: string; row: ReturnType<Draft["rowAt"]> } | undefined;
  const rowAt = (slug: string) => {
    if (last?.slug !== slug) last = { slug, row: Object.assign(draft.rowAt(slug), origin) };
    return last.row;
  };
  return { ...draft, rowAt };
}
