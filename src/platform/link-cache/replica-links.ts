/**
 * Links from the replica beside this server: one that is not in memory costs no way to a primary far away.
 *
 * A replica is behind. What changes is heard from the primary, and nothing older than what was heard is kept (`flights.ts`);
 * but that covers only what was told while this server listened. So the replica is believed once it has replayed what the
 * primary had when listening began, each time anew, and as long as it shows the epoch that is known (`history.ts`). Versions
 * are remembered of a bounded number of links, so that one that lags by more than `LAG_MS_MAX` is not asked either. All this
 * is asked on the connection that then reads the link: the address may lead to several replicas.
 *
 * While the primary is away the replica is as good as it was when the primary was last heard of.
 *
 * Bounds: a pool of its own, `ANSWER_MS_MAX` for an answer; past it, and where it fails, the primary is asked, as long as
 * that is there. A crash loses nothing.
 */
import { eq } from "drizzle-orm";
import type { LinkDefinition } from "@/core/routing/link";
import type { Database } from "../db/client";
import type { History } from "../db/connection/history";
import { Wait } from "../db/connection/wait";
import { REPLICA_STANDING, type Replica, type ReplicaStanding } from "../db/replica/replica";
import { organizations } from "../db/schema";
import { preparedOn } from "../db/statements";
import type { Db, Tx } from "../db/tx";
import type { Address } from "./address";
import type { ShortUrlOf } from "./short-urls";
import { createLinkSource } from "./source";

const LAG_MS_MAX = 10_000;
const ANSWER_MS_MAX = 250;
/** Where nobody else can be asked. */
const LAST_ANSWER_MS_MAX = 2_000;
const RETRY_MS = 1_000;

/** What it is to have replayed; more than that is harmless. */
const LOG_END = "select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as end";

export interface ReplicaLinksOptions {
  replica: Pick<Replica, "links" | "state" | "lagSeenMs" | "linkReads">;
  primary: Pick<Database, "sql">;
  history: Pick<History, "epoch">;
  shortUrlOf: ShortUrlOf;
  onError(error: unknown): void;
}

/** What the replica says of an address; null where it has no link. */
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
  /** In bytes of the primary's log; Infinity until it is known. */
  #floor = Number.POSITIVE_INFINITY;
  #raises = 0;

  constructor(options: ReplicaLinksOptions) {
    this.#options = options;
  }

  /** To be called whenever listening has begun: what was told before may have been missed. Resolves once the replica can be asked. */
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

  /** Nothing is believed until listening begins again. */
  close(): void {
    this.#raises++;
    this.#floor = Number.POSITIVE_INFINITY;
  }

  /** Undefined when the replica cannot be asked, or not be believed. `isLast`: there is nobody else to ask. Never rejects. */
  async find(address: Address, isLast: boolean): Promise<ReplicaAnswer | undefined> {
    const { replica, shortUrlOf } = this.#options;
    const answer = await this.#ask(isLast, async (tx) => {
      const link = await createLinkSource(tx, shortUrlOf).byAddress(address);
      return { definition: link?.definition ?? null };
    });
    if (answer?.definition) replica.linkReads += 1;
    return answer;
  }

  /** The same of what else belongs to an organization, where its version there is one that `isCurrent`. */
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
   * Asks both behind each other, where the replica stands first, and does not wait for the end of the transaction, which
   * writes nothing.
   */
  #read<Answer>(read: (tx: Tx) => Promise<Answer | undefined>): Promise<Answer | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer | undefined>();
    this.#options.replica.links.db
      .transaction(async (tx) => {
        const standings = preparedOn(tx).run<ReplicaStanding>(REPLICA_STANDING);
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
