/**
 * A transaction whose statements need not wait for each other: far from Postgres each answer that is waited for costs a
 * whole round trip. What is sent arrives in its order, and once one statement fails Postgres refuses all behind it, the
 * commit too; so the fault of a transaction is that of the first statement that failed.
 *
 * Two answers have to be waited for: Postgres's readiness for the rows of a COPY, since nothing may follow the statement
 * before them, and whatever decides whether there is to be a commit (`judge`).
 */
import type { ReservedSql } from "postgres";
import type { CopyStatements } from "@/platform/db/statements";
import { copyRows } from "./postgres-text";

export type BatchTransaction = CopyStatements;

class CommitRefusedError extends Error {
  override name = "CommitRefusedError";
}

export class PipelinedTransaction {
  readonly #connection: ReservedSql;
  readonly #checkOpen: () => void;
  readonly #sent: Promise<unknown>[] = [];
  readonly #judged: Promise<unknown>[] = [];
  #fault: unknown;

  /** `checkOpen` throws once the connection is closed, on which a statement would never be answered. */
  constructor(connection: ReservedSql, checkOpen: () => void) {
    this.#connection = connection;
    this.#checkOpen = checkOpen;
  }

  statements(mayStage: boolean): BatchTransaction {
    return { send: this.send, run: this.send, copy: this.copy, mayStage };
  }

  /** The first of its faults; undefined where there is none. */
  get fault(): unknown {
    return this.#fault;
  }

  readonly send: BatchTransaction["send"] = <Row extends object>(
    statement: string,
    parameters: Parameters<BatchTransaction["send"]>[1] = [],
    judge?: (rows: Row[]) => void,
  ) => {
    this.#checkOpen();
    const query = this.#connection.unsafe<Row[]>(statement, parameters, { prepare: parameters.length > 0 });
    const answer = this.#noted<Row[]>(query.execute());
    this.#sent.push(answer);
    if (judge) this.#judged.push(this.#noted(answer.then(judge)));
    return answer;
  };

  readonly copy: BatchTransaction["copy"] = async (statement, chunks) => {
    this.#checkOpen();
    const isToGoOn = async () => void (await Promise.all(this.#judged));
    const { done } = await this.#noted(copyRows(this.#connection, statement, chunks, isToGoOn));
    this.#sent.push(this.#noted(done));
  };

  /** Postgres answers the commit of a failed transaction with `ROLLBACK`, which the driver does not treat as an error. */
  async commit(): Promise<void> {
    await Promise.all(this.#judged);
    const answer = this.#noted(this.#connection.unsafe("commit").execute());
    await Promise.all(this.#sent);
    const { command } = await answer;
    if (command !== "COMMIT") throw new CommitRefusedError(`Postgres returned ${command} for a commit.`);
  }

  /** Nobody may be waiting for it when it fails. */
  #noted<Answer>(answer: PromiseLike<Answer>): Promise<Answer> {
    const promise = Promise.resolve(answer);
    promise.catch((error: unknown) => {
      this.#fault ??= error;
    });
    return promise;
  }
}
