/** Follows what a dry run would have brought in so far, and refuses what an import would refuse in view of it. */
import type { OrgId } from "@/core/ids";
import type { HttpError } from "@/http/errors";
import { externalIdTaken } from "@/modules/addresses/service";
import type { Plans } from "@/modules/plans/service";
import type { Tx } from "@/platform/db/tx";
import { HashedMap, HashedSet } from "./hash-table";
import { PlannedIds } from "./planned-ids";
import { type RowOutcome, refuseRow, type SettledBefore, takenKeysOf } from "./settle";

export class DryRun implements SettledBefore {
  readonly addresses = new HashedMap();
  readonly sourceIds = new HashedSet();
  /** Empty: a dry run knows the addresses of all records before. */
  readonly linkIds = new Set<string>();
  readonly #orgId: OrgId;
  readonly #plans: Pick<Plans, "room">;
  readonly #ids = new PlannedIds();
  #links = 0;

  constructor(orgId: OrgId, plans: Pick<Plans, "room">) {
    this.#orgId = orgId;
    this.#plans = plans;
  }

  /** Changes the outcomes of a batch in place. */
  async plan(tx: Tx, settled: readonly RowOutcome[]): Promise<void> {
    const created = await this.#refuseTakenIds(tx, settled);
    const room = await this.#plans.room(tx, this.#orgId, "links");
    for (const one of created) {
      if (this.#links < room.left) this.#create(one);
      else this.#refuse(one, room.refusal(0));
    }
  }

  /** Refuses an outcome, and leaves its address to later batches. */
  #refuse(one: RowOutcome, error: HttpError): void {
    refuseRow(one, error);
    for (const key of one.make ? takenKeysOf(one.make) : []) this.addresses.delete(key);
  }

  #create({ make }: RowOutcome): void {
    this.#links++;
    if (make) this.sourceIds.add(make.sourceId);
  }

  /** Returns the outcomes that create a link. */
  async #refuseTakenIds(tx: Pick<Tx, "execute">, settled: readonly RowOutcome[]): Promise<RowOutcome[]> {
    const refused = new Set(await this.#ids.refused(tx, this.#orgId, settled));
    for (const one of refused) this.#refuse(one, externalIdTaken());
    return settled.filter((one) => one.make && !refused.has(one));
  }
}
