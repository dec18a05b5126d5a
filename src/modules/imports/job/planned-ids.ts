/**
 * Foresees in a dry run which records would be refused because another link has their external id: a link that exists,
 * or one that an earlier record would have created or changed.
 */
import type { OrgId } from "@/core/ids";
import type { Tx } from "@/platform/db/tx";
import type { Candidate } from "./candidates";
import type { RowOutcome } from "./settle";
import { type ExternalIdHolder, externalIdHolders } from "./taken";

interface Claim {
  one: RowOutcome;
  candidate: Candidate;
  /** The link that the record replaces; undefined if it creates one. */
  linkId: string | undefined;
}

/** Stands for a link that the dry run would have created. */
const NEW_LINK = "new";

export class PlannedIds {
  /** Who would have each external id that was looked at: the id of a link, `NEW_LINK`, or null if nobody. */
  readonly #holders = new Map<string, string | null>();
  /** The external id that each replaced link would have; null if none. */
  readonly #held = new Map<string, string | null>();

  /** Returns the outcomes of a batch that would be refused. Like an import, it creates links before it replaces any. */
  async refused(tx: Pick<Tx, "execute">, orgId: OrgId, settled: readonly RowOutcome[]): Promise<RowOutcome[]> {
    const claims = [...settled.flatMap(creation), ...settled.flatMap(replacement)];
    if (claims.length === 0) return [];
    const ids = claims.flatMap(({ candidate }) => candidate.input.externalId ?? []);
    this.#note(await externalIdHolders(tx, orgId, { ids, linkIds: claims.flatMap(({ linkId }) => linkId ?? []) }));
    return claims.flatMap((claim) => (this.#claim(claim) ? [] : [claim.one]));
  }

  #note(holders: readonly ExternalIdHolder[]): void {
    for (const { id, externalId } of holders) {
      if (!this.#holders.has(externalId)) this.#holders.set(externalId, id);
      if (!this.#held.has(id)) this.#held.set(id, externalId);
    }
  }

  #claim({ candidate: { input }, linkId }: Claim): boolean {
    const { externalId = null } = input;
    const holder = externalId === null ? null : (this.#holders.get(externalId) ?? null);
    if (holder !== null && holder !== linkId) return false;
    const former = linkId === undefined ? null : (this.#held.get(linkId) ?? null);
    if (former !== null) this.#holders.set(former, null);
    if (externalId !== null) this.#holders.set(externalId, linkId ?? NEW_LINK);
    if (linkId !== undefined) this.#held.set(linkId, externalId);
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
