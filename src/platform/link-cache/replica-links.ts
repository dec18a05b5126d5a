/**
 * Reads links from the replica near this server, so that a link that is not in memory needs no request to a distant
 * primary.
 *
 * A replica lags behind. Changes arrive from the primary, and nothing older than a known version is cached
 * (`flights.ts`), but that covers only changes announced while this server was listening. So the replica is trusted
 * only once it has replayed everything that the primary had when listening last began, and only while it has the known
 * epoch (`db/connection/history.ts`). Both are checked on the connection that then reads the link, so that nothing
 * waits for the check. The number of known versions is bounded, so a replica that lags by more than
 * `LAG_MS_MAX` is not asked.
 *
 * While the primary is unreachable, the replica is trusted as it was when the primary last responded.
 *
 * Bounds: a separate pool, and `ANSWER_MS_MAX` for a response. If the replica fails or takes longer, the primary is
 * asked, provided it is reachable. A crash loses nothing.
 */
import { eq } from "drizzle-orm";
import type { LinkDefinition } from "@/core/routing/link";
import type { Database } from "../db/client";
import type { History } from "../db/connection/history";
import { Wait } from "../db/connection/wait";
import { REPLICA_STANDING, type Replica, type ReplicaStanding } from "../db/replica/replica";
import { organizations } from "../db/schema";
import { preparedStatementsOn } from "../db/statements";
import type { Db, Tx } from "../db/tx";
import type { Address } from "./address";
import type { ShortUrlOf } from "./short-urls";
import { createLinkSource } from "./source";

const LAG_MS_MAX = 10_000;
const ANSWER_MS_MAX = 250;
/** Applies when no other source can be asked. */
const LAST_ANSWER_MS_MAX = 2_000;
const RETRY_MS = 1_000;

/**
 * The position that the replica must have replayed. The end of what is inserted may lie beyond what is committed,
 * which is harmless.
 */
const LOG_END = "select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as end";

export interface ReplicaLinksOptions {
  replica: Pick<Replica, "links" | "state" | "lagSeenMs" | "linkReads">;
  primary: Pick<Database, "sql">;
  history: Pick<History, "epoch">;
  shortUrlOf: ShortUrlOf;
  onError(error: unknown): void;
}

/** What the replica has at an address; null if it has no link there. */
export interface ReplicaAnswer {
  definition: LinkDefinition | null;
}

export interface OrganizationRead<Answer> {
  orgId: string;
  isCurrent(version: number): boolean;
  read(db: Db): Promise<Answer>;
}

export class ReplicaLinks {
  readonly #options: ReplicaLinksOptions;
  /** The position that the replica must have replayed, in bytes of the primary's log; Infinity until it is known. */
  #floor = Number.POSITIVE_INFINITY;
  #raises = 0;

  constructor(options: ReplicaLinksOptions) {
    this.#options = options;
  }

  /**
   * Requires the replica to replay what the primary has now. Call it whenever listening begins, because earlier
   * changes may have been missed. Resolves once the replica can be asked.
   */
  async raiseFloor(): Promise<void> {
    const raise = ++this.#raises;
    this.#floor = Number.POSITIVE_INFINITY;
    for (;;) {
      const end = await this.#logEnd();
      if (raise !== this.#raises) return;
      if (end !== null) {
        this.#floor = end;
        return;
      }
      await Bun.sleep(RETRY_MS);
    }
  }

  /** Stops trusting the replica until listening begins again. */
  close(): void {
    this.#raises++;
    this.#floor = Number.POSITIVE_INFINITY;
  }

  /**
   * Returns undefined if the replica cannot be asked or is not trusted. `isLast` means that no other source can be
   * asked. Never rejects.
   */
  async find(address: Address, isLast: boolean): Promise<ReplicaAnswer | undefined> {
    const { replica, shortUrlOf } = this.#options;
    const answer = await this.#ask(isLast, async (tx) => {
      const link = await createLinkSource(tx, shortUrlOf).byAddress(address);
      return { definition: link?.definition ?? null };
    });
    if (answer?.definition) replica.linkReads += 1;
    return answer;
  }

  /**
   * Reads other data of an organization in the same way, provided its version on the replica is one that `isCurrent`.
   */
  async readOf<Answer>(
    { orgId, isCurrent, read }: OrganizationRead<Answer>,
    isLast: boolean,
  ): Promise<{ answer: Answer } | undefined> {
    return this.#ask(isLast, async (tx) => {
      const version = organizations.routingVersion;
      const [row] = await tx.select({ version }).from(organizations).where(eq(organizations.id, orgId)).limit(1);
      return row && isCurrent(row.version) ? { answer: await read(tx) } : undefined;
    });
  }

  async #ask<Answer>(isLast: boolean, read: (tx: Tx) => Promise<Answer | undefined>): Promise<Answer | undefined> {
    const { replica, onError } = this.#options;
    const isKnown = this.#floor !== Number.POSITIVE_INFINITY && replica.state !== "away";
    if (!isKnown || replica.lagSeenMs > LAG_MS_MAX) return undefined;
    try {
      return await new Wait().until(this.#read(read), isLast ? LAST_ANSWER_MS_MAX : ANSWER_MS_MAX);
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  /**
   * Sends both queries without waiting in between, the replica's standing first. Does not wait for the end of the
   * transaction, which writes nothing.
   */
  #read<Answer>(read: (tx: Tx) => Promise<Answer | undefined>): Promise<Answer | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer | undefined>();
    this.#options.replica.links.db
      .transaction(async (tx) => {
        const standings = preparedStatementsOn(tx).run<ReplicaStanding>(REPLICA_STANDING);
        const [[standing], answer] = await Promise.all([standings, read(tx)]);
        resolve(this.#isBelieved(standing) ? answer : undefined);
      })
      .catch(reject);
    return promise;
  }

  #isBelieved(standing: ReplicaStanding | undefined): boolean {
    if (!standing?.isReplica || standing.epoch !== this.#options.history.epoch) return false;
    return standing.replayed >= this.#floor;
  }

  async #logEnd(): Promise<number | null> {
    try {
      const [row] = await this.#options.primary.sql.unsafe<{ end: number }[]>(LOG_END);
      return row?.end ?? null;
    } catch (error) {
      this.#options.onError(error);
      return null;
    }
  }
}
