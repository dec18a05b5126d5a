/** Sees to it once a day that there are partitions for the months to come. */

import { ensurePartitions } from "../partitions";
import type { ClickDatabase } from "./click-database";

const RETRY_MS = 10_000;

export class PartitionKeeper {
  #day = "";
  #triedAt = 0;

  constructor(
    private readonly database: ClickDatabase,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** A failure costs nothing but the order of partitions: the default one takes all rows. */
  async keep(now: number): Promise<void> {
    const day = new Date(now).toISOString().slice(0, 10);
    if (day === this.#day || now - this.#triedAt < RETRY_MS) return;
    this.#triedAt = now;
    try {
      await this.database.inTime(() => ensurePartitions(this.database.reader, new Date(now)));
      this.#day = day;
    } catch (error) {
      this.onFailure(error);
    }
  }
}
