/**
 * Dry runs that wait in this process for their next turn, with what they have planned. Wherever else one goes on, it
 * plans all of that again.
 *
 * Bound: `RECORDS_MAX` planned records in all; beyond it, a dry run may not rest. A crash loses only the plans.
 */
const RECORDS_MAX = 1_000_000;

/** What a dry run goes on with. */
interface Planner {
  /** Returns how many records it has planned. */
  planned(): number;
}

export class RestingDryRuns<Kept extends Planner> {
  readonly #kept = new Map<string, Kept>();

  /** Returns false if there is no room. */
  keep(importId: string, planner: Kept): boolean {
    const planned = [planner, ...this.#kept.values()].reduce((sum, one) => sum + one.planned(), 0);
    if (planned > RECORDS_MAX) return false;
    this.#kept.set(importId, planner);
    return true;
  }

  /** Returns undefined also for a plan that goes beyond the job's cursor: the database may have lost what came last. */
  take(importId: string, cursor: number): Kept | undefined {
    const planner = this.#kept.get(importId);
    this.#kept.delete(importId);
    return planner && planner.planned() <= cursor ? planner : undefined;
  }

  /** To be called when there is nothing to do here: those that are left have ended, or go on elsewhere. */
  clear(): void {
    this.#kept.clear();
  }
}
