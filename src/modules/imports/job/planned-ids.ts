/**
 * Foresees in a dry run which records would be refused because another link has their external id: a link that exists,
 * or one that an earlier record would have created or changed.
 */
import type { OrgId } from "@/core/ids";
import type { Tx } from "@/platform/db/tx";
import type { Candidate } from "./candidates";
import { HashTable, hashOf } from "./hash-table";
import type { RowOutcome } from "./settle";
import { type ExternalIdHolder, externalIdHolders } from "./taken";

interface Claim {
  one: RowOutcome;
  candidate: Candidate;
  /** The link that the record replaces; undefined if it creates one. */
  linkId: string | undefined;
}

/** Stands for no link, and for no external id. */
const NONE = 0;
/** Stands for a link that the dry run would have created. */
const NEW_LINK = 1;

const hashOrNone = (id: string | null | undefined): number => (id == null ? NONE : hashOf(id));

/** Remembers hashes: an import may have a million records. */
export class PlannedIds {
  /** Who would have each external id that was looked at: a link, `NEW_LINK`, or `NONE`. */
  readonly #holders = new HashTable();
  /** The external id that each replaced link would have, or `NONE`. */
  readonly #held = new HashTable();

  /** Returns the outcomes of a batch that would be refused. Like an import, it creates links before it replaces any. */
  async refused(tx: Pick<Tx, "execute">, orgId: OrgId, settled: readonly RowOutcome[]): Promise<RowOutcome[]> {
    const claims = [...settled.flatMap(creation), ...settled.flatMap(replacement)];
    if (claims.length === 0) return [];
    const ids = claims.flatMap(({ candidate }) => candidate.input.externalId ?? []);
    this.#note(await externalIdHolders(tx, orgId, { ids, linkIds: claims.flatMap(({ linkId }) => linkId ?? []) }));
    return claims.flatMap((claim) => (this.#claim(claim) ? [] : [claim.one]));
  }

  #note(holders: readonly ExternalIdHolder[]): void {
    for (const holder of holders) {
      const [link, id] = [hashOf(holder.id), hashOf(holder.externalId)];
      if (this.#holders.get(id) === undefined) this.#holders.set(id, link);
      if (this.#held.get(link) === undefined) this.#held.set(link, id);
    }
  }

  #claim({ candidate: { input }, linkId }: Claim): boolean {
    const [link, id] = [hashOrNone(linkId), hashOrNone(input.externalId)];
    const holder = id === NONE ? NONE : (this.#holders.get(id) ?? NONE);
    if (holder !== NONE && holder !== link) return false;
    const former = link === NONE ? NONE : (this.#held.get(link) ?? NONE);
    if (former !== NONE) this.#holders.set(former, NONE);
    if (id !== NONE) this.#holders.set(id, link === NONE ? NEW_LINK : link);
    if (link !== NONE) this.#held.set(link, id);
    return true;
  }
}

const namesId = ({ input }: Candidate): boolean => input.externalId !== undefined;

const creation = (one: RowOutcome): Claim[] =>
  one.make && namesId(one.make) ? [{ one, candidate: one.make, linkId: undefined }] : [];

const replacement = (one: RowOutcome): Claim[] =>
  one.replace && namesId(one.replace.candidate)
    ? [{ one, candidate: one.replace.candidate, linkId: one.replace.id }]
    : [];
