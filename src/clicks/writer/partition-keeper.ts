/**
 * Creates the partitions of the coming months, once a day. A failure is harmless, as rows go to the default partition
 * meanwhile, and what others hold locked is left alone for a while: they may need hours, and each attempt stops clicks
 * and readers.
 */
import { isLockTimeout } from "@/platform/db/faults";
import { ensurePartitions } from "../partitions";
import type { ClickDatabase } from "./click-database";

const RETRY_MS = 10_000;
const LOCKED_MS = 600_000;

export interface PartitionKeeperOptions {
  database: Pick<ClickDatabase, "inTime" | "reader">;
  onFailure(error: unknown): void;
  /** Another session uses the tables. */
  onLocked(error: unknown): void;
  /** Milliseconds on a clock that never jumps. */
  stopwatch?(): number;
}

export class PartitionKeeper {
  readonly #options: PartitionKeeperOptions;
  readonly #stopwatch: () => number;
  #day = "";
  #dueAt = Number.NEGATIVE_INFINITY;

  constructor(options: PartitionKeeperOptions) {
    this.#options = options;
    this.#stopwatch = options.stopwatch ?? (() => performance.now());
  }

  /** Creates missing partitions, at most once a day. */
  async keep(now: number): Promise<void> {
    const day = new Date(now).toISOString().slice(0, 10);
    if (day === this.#day || this.#stopwatch() < this.#dueAt) return;
    const { database, onFailure, onLocked } = this.#options;
    const startedAt = this.#stopwatch();
    try {
      await database.inTime(() => ensurePartitions(database.reader, new Date(now)));
      this.#day = day;
    } catch (error) {
      const isLocked = isLockTimeout(error);
      this.#dueAt = startedAt + (isLocked ? LOCKED_MS : RETRY_MS);
      if (isLocked) onLocked(error);
      else onFailure(error);
    }
  }
}
