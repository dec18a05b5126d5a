/**
 * Decides what becomes of each candidate of a batch: created, created with another slug, replacing an existing link,
 * or left out.
 */
import type { ImportOptions, ImportResult } from "@/contract/links/imports";
import type { OrgId } from "@/core/ids";
import { LOST_PASSWORD } from "@/core/imports/fitting";
import type { HttpError } from "@/http/errors";
import { addressTooSimilar, checkedSlug } from "@/modules/addresses/service";
import type { Tx } from "@/platform/db/tx";
import { type Candidate, type ComparedAddress, comparedAt, type LedgerPlace, type RefusedRecord } from "./candidates";
import { type ExistingLink, formerClicksOf, importedLinks, looksTaken, occupantsAt } from "./taken";

/** A ledger outcome, with what remains to be done for it. */
export interface RowOutcome {
  place: LedgerPlace;
  result: ImportResult;
  why?: string;
  linkId?: string;
  make?: Candidate;
  replace?: Replacing;
  /** The former clicks that the link takes over from deleted ones. */
  takenOver?: number;
}

interface Replacing {
  id: string;
  candidate: Candidate;
  /** The former clicks that the link has until then. */
  clicksReplaced: number | null;
}

type TakenAddresses = Pick<Map<string, string>, "get" | "has"> & { set(key: string, path: string): void };

/** What the batches before have done. */
export interface SettledBefore {
  /**
   * What a dry run would have taken: the keys of addresses, each with its path as written, and on the shared domain also
   * what they look like.
   */
  addresses: TakenAddresses;
  /** The ids at the source of the links that a dry run would have created. */
  sourceIds: { has(id: string): boolean };
  /** The links that an import with `replace` has created or replaced. No later record may replace them. */
  linkIds: ReadonlySet<string>;
}

/** What the batch is settled against. */
interface Scene {
  tx: Pick<Tx, "execute">;
  orgId: OrgId;
  options: ImportOptions;
  /** Links imported before, by their id at the source. */
  before: ReadonlyMap<string, string>;
  standing: ReadonlyMap<string, ExistingLink>;
  /** What the addresses of live links look like. */
  alike: ReadonlySet<string>;
  seen: TakenAddresses;
  planned: SettledBefore["sourceIds"];
  broughtIn: ReadonlySet<string>;
  /** For the links of this organization whose own exports are in the batch, the former clicks to pass on. */
  exported: Map<string, number | null>;
  /** The source ids settled in this batch so far. */
  ids: Set<string>;
}

const SUFFIXES = 30;
const SUFFIX_FROM = 2;

/** Adds the addresses that the batch takes to those of `earlier`. */
export async function settleBatch(
  tx: Pick<Tx, "execute">,
  orgId: OrgId,
  options: ImportOptions,
  batch: readonly (Candidate | RefusedRecord)[],
  earlier: SettledBefore,
): Promise<RowOutcome[]> {
  const candidates = batch.filter((one): one is Candidate => "draft" in one);
  const sourceIds = candidates.map(({ sourceId }) => sourceId);
  const keys = candidates.flatMap(({ key }) => key ?? []);
  const exportsOf = candidates.flatMap(({ exportOf }) => exportOf ?? []);
  const looks = candidates.flatMap(({ look }) => look ?? []);
  const [before, standing, alike, exported] = await Promise.all([
    importedLinks(tx, orgId, options.source, sourceIds),
    occupantsAt(tx, orgId, keys),
    looksTaken(tx, looks),
    formerClicksOf(tx, orgId, exportsOf),
  ]);
  const { addresses: seen, sourceIds: planned, linkIds: broughtIn } = earlier;
  const known = { before, standing, alike, seen, planned, broughtIn, exported };
  const scene = { tx, orgId, options, ...known, ids: new Set<string>() };
  const settled: RowOutcome[] = [];
  for (const one of batch) {
    if ("refused" in one) settled.push({ place: one, result: "refused", why: one.refused });
    else settled.push(await settle(scene, countedOnce(scene, one)));
  }
  return settled;
}

/**
 * In the export of a link of this organization, the clicks are those that are counted here, also once it is deleted. Its
 * former clicks are in overviews as well: only one link takes them over, and only if it is deleted.
 */
function countedOnce({ exported }: Scene, one: Candidate): Candidate {
  const { exportOf = "", draft } = one;
  const clicksBefore = exported.get(exportOf);
  if (clicksBefore === undefined) return one;
  exported.set(exportOf, null);
  const rowAt = (slug: string) => ({ ...draft.rowAt(slug), clicksBefore });
  return { ...one, isOwnExport: true, clicksBefore, clicksByDay: undefined, draft: { ...draft, rowAt } };
}

async function settle(scene: Scene, one: Candidate): Promise<RowOutcome> {
  const { before, ids, planned, seen, standing, broughtIn, options } = scene;
  const { source, onConflict } = options;
  const known = before.get(one.sourceId);
  const isItself = onConflict === "replace" && known !== undefined && one.exportOf === known;
  if ((known && !isItself) || planned.has(one.sourceId))
    return { place: one, result: "unchanged", why: "it was imported before", linkId: known };
  if (ids.has(one.sourceId)) return { place: one, result: "skipped", why: "the file has it twice" };
  ids.add(one.sourceId);
  if (one.key === null) return { place: one, result: "created", make: one };
  const written = writtenPath(one);
  const [earlier, there] = [seen.get(one.key), standing.get(one.key)];
  if (earlier === undefined && there === undefined) {
    if (!isLookTaken(scene, one.look)) return takeAt(scene, one, written);
    return onConflict === "suffix" ? suffixed(scene, one) : tooSimilar(one);
  }
  const isCollision =
    earlier !== undefined ? earlier !== written : there?.importedSource === source && pathOf(there) !== written;
  if (onConflict === "suffix") return suffixed(scene, one);
  if (isCollision)
    return {
      place: one,
      result: "collision",
      why: `differs only by case from ${earlier ?? (there && pathOf(there))}`,
      linkId: there?.id,
    };
  if (onConflict === "replace" && there?.isOwn && earlier === undefined && !broughtIn.has(there.id)) {
    seen.set(one.key, written);
    const candidate = keepingOwn(one, there);
    const replace = { id: there.id, candidate, clicksReplaced: there.clicksBefore };
    return { place: candidate, result: "replaced", linkId: there.id, replace };
  }
  return {
    place: one,
    result: "skipped",
    why: "the address is already used",
    linkId: there?.isOwn ? there.id : undefined,
  };
}

/**
 * A link that has a password keeps it where the record's is lost, and need not be turned off. It also keeps its former
 * clicks if the record is an export of this organization.
 */
function keepingOwn(one: Candidate, { passwordHash }: ExistingLink): Candidate {
  const { lostPassword, input, dropped } = one;
  const clicksBefore = one.isOwnExport ? null : one.clicksBefore;
  if (!lostPassword || passwordHash === null) return { ...one, clicksBefore };
  const others = dropped.filter(({ field }) => field !== LOST_PASSWORD);
  return { ...one, clicksBefore, input: { ...input, isActive: lostPassword.isActive }, dropped: others };
}

function takeAt({ seen }: Scene, one: Candidate, written: string): RowOutcome {
  note(seen, one, written);
  return { place: one, result: "created", make: one };
}

function note(seen: TakenAddresses, { key, look }: ComparedAddress, written: string): void {
  if (key !== null) seen.set(key, written);
  // How it is written does not matter to what looks like it.
  if (look !== null) seen.set(placeOfLook(look), "");
}

/** Returns what nothing else may have once a link has the address. */
export const takenKeysOf = ({ key, look }: ComparedAddress): string[] => [
  ...(key === null ? [] : [key]),
  ...(look === null ? [] : [placeOfLook(look)]),
];

const placeOfLook = (look: string): string => `look ${look}`;

const isLookTaken = ({ alike, seen }: Pick<Scene, "alike" | "seen">, look: string | null): boolean =>
  look !== null && (alike.has(look) || seen.has(placeOfLook(look)));

function tooSimilar(one: Candidate): RowOutcome {
  const outcome: RowOutcome = { place: one, result: "skipped" };
  refuseRow(outcome, addressTooSimilar());
  return outcome;
}

async function suffixed({ tx, orgId, seen }: Scene, one: Candidate): Promise<RowOutcome> {
  const { draft } = one;
  const slug = draft.slug?.slug ?? "";
  const { pathPrefix = "" } = draft.rowAt(slug);
  const wanted = Array.from({ length: SUFFIXES }, (_, index) => {
    const text = `${slug}-${index + SUFFIX_FROM}`;
    return { text, ...comparedAt(draft.domain, pathPrefix, text) };
  });
  const keys = wanted.map(({ key }) => key);
  const looks = wanted.flatMap(({ look }) => look ?? []);
  const [taken, alike] = await Promise.all([occupantsAt(tx, orgId, keys), looksTaken(tx, looks)]);
  const isFree = ({ key, look }: (typeof wanted)[number]) =>
    !taken.has(key) && !seen.has(key) && !isLookTaken({ alike, seen }, look);
  const free = wanted.find(isFree);
  if (free === undefined || free.text.length > 190)
    return { place: one, result: "skipped", why: "the address is already used" };
  const { text, key, look } = free;
  note(seen, free, text);
  const make = { ...one, key, look, draft: { ...draft, slug: checkedSlug(text) } };
  return { place: one, result: "suffixed", why: `the slug is ${text}: ${slug} is already used`, make };
}

const writtenPath = ({ draft }: Candidate): string => {
  const slug = draft.slug?.slug ?? "";
  return pathOf({ slug, pathPrefix: draft.rowAt(slug).pathPrefix ?? "" });
};

const pathOf = ({ pathPrefix, slug }: Pick<ExistingLink, "pathPrefix" | "slug">): string =>
  pathPrefix === "" ? slug : `${pathPrefix}/${slug}`;

/** An address in use makes a record skipped, as it is where that was known before. */
export function refuseRow(one: RowOutcome, { status, message, details = [] }: HttpError): void {
  const isAddressUsed = status === 409 && details.some((detail) => detail.startsWith("slug: "));
  one.result = isAddressUsed ? "skipped" : "refused";
  one.why = [message, ...details].join("; ");
  one.linkId = undefined;
}
