/** Creates the partitions of the coming months, once a day. */
import { ensurePartitions } from "../partitions";
import type { ClickDatabase } from "./click-database";

const RETRY_MS = 10_000;

export class PartitionKeeper {
  #day = "";
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly database: ClickDatabase,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /**
   * Creates missing partitions, at most once a day. A failure is harmless: rows go to the default partition
   * meanwhile.
   */
  async keep(now: number): Promise<void> {
    const day = new Date(now).toISOString().slice(0, 10);
    if (day === this.#day || performance.now() - this.#triedAt < RETRY_MS) return;
    this.#triedAt = performance.now();
    try {
      await this.database.inTime(() => ensurePartitions(this.database.reader, new Date(now)));
      this.#day = day;
    } catch (error) {
      this.onFailure(error);
    }
  }
}
