/**
 * A transaction whose statements do not wait for each other, because far from Postgres each awaited response costs a
 * whole round trip. Statements arrive in the order they were sent, and once one fails, Postgres refuses all that
 * follow, the commit included. So the transaction's error is that of the first statement that failed.
 *
 * Two responses must be awaited: that Postgres is ready for the rows of a COPY, because nothing may be sent between
 * the statement and its rows, and any response that decides whether to commit (`judge`).
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

  /** `checkOpen` throws once the connection is closed, because statements on it would never get a response. */
  constructor(connection: ReservedSql, checkOpen: () => void) {
    this.#connection = connection;
    this.#checkOpen = checkOpen;
  }

  statements(mayStage: boolean): BatchTransaction {
    return { send: this.send, run: this.send, copy: this.copy, mayStage };
  }

  /** The transaction's first error; undefined if there is none. */
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

  /**
   * Commits, or throws. Postgres responds to the commit of a failed transaction with `ROLLBACK`, which the driver
   * does not treat as an error.
   */
  async commit(): Promise<void> {
    await Promise.all(this.#judged);
    const answer = this.#noted(this.#connection.unsafe("commit").execute());
    await Promise.all(this.#sent);
    const { command } = await answer;
    if (command !== "COMMIT") throw new CommitRefusedError(`Postgres returned ${command} for a commit.`);
  }

  /** Records a rejection as the transaction's error, and marks it as handled in case nothing awaits it. */
  #noted<Answer>(answer: PromiseLike<Answer>): Promise<Answer> {
    const promise = Promise.resolve(answer);
    promise.catch((error: unknown) => {
      this.#fault ??= error;
    });
    return promise;
  }
}
