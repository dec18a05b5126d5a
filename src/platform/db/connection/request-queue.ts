/**
 * Shares the connections of a pool among API requests when there are more of them than Postgres can serve. Without it,
 * statements would queue in the driver without end: each request would wait longer than the one before, and Postgres
 * would work for clients that have long given up.
 *
 * A statement or transaction of a request takes a place for as long as it runs. If there is none, it waits: first those
 * of requests that have had a place before, so that what has begun is finished, then those of new requests, each in the
 * order of arrival. A new request that has waited for `newWaitMsMax` is refused. Once new requests have been waiting for
 * `standingMs` without a pause, which is no burst, one that arrives while another has waited for `fullAfterMs` is refused
 * immediately, so that a server with too much to do remains as fast as it is. A new request whose client disconnects
 * leaves the queue. What a transaction's request asks outside of the transaction takes no place: it would wait for those
 * that wait for the same.
 *
 * Reads of figures may take seconds. Those of one organization together have at most half of the places, and those of all
 * organizations leave `LEFT_BY_FIGURES`: others, and other requests, do not wait until they are done. Beyond that, they
 * wait in the order of arrival, for `BEGUN_WAIT_MS_MAX` at most.
 *
 * There are fewer places than connections. What belongs to no request (a visit's link, counts, background work) does not
 * queue here and finds the other connections, whatever the API does.
 *
 * Bounds: `places`, `WAITING_MAX`, `FIGURES_WAITING_MAX` for each organization, `newWaitMsMax`, `BEGUN_WAIT_MS_MAX`. A
 * crash loses what waits.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Sql } from "postgres";
import { type Limited, limitConcurrency, limitEach } from "@/platform/concurrency";

export interface RequestQueueOptions {
  places: number;
  newWaitMsMax?: number;
  fullAfterMs?: number;
  /** Longer than a burst takes to be served. */
  standingMs?: number;
}

const DEFAULTS = { newWaitMsMax: 10_000, fullAfterMs: 2_000, standingMs: 10_000 };
/** New requests. */
const WAITING_MAX = 1_000;
/** A request that has begun waits longer: what it has done may be committed. */
const BEGUN_WAIT_MS_MAX = 20_000;
/** Places that reads of figures leave to other requests. */
const LEFT_BY_FIGURES = 2;
/** Statements and transactions of one organization. */
const FIGURES_WAITING_MAX = 200;

/** There are more requests than Postgres can serve. */
class TooManyRequestsError extends Error {
  override name = "TooManyRequestsError";
  readonly code = "CONNECTIONS_TAKEN";
}

/** The client disconnected before its request got a connection. */
class RequestAbandoned extends Error {
  override name = "RequestAbandoned";
  readonly code = "REQUEST_ABANDONED";
}

/** A request that is being served. */
class Asker {
  /** The queues in which it has had a place. */
  readonly begunIn = new WeakSet<RequestQueue>();
  transactions = 0;
  /** The organization whose figures it reads. */
  figuresOf: string | undefined;

  constructor(readonly signal: AbortSignal) {}
}

const asking = new AsyncLocalStorage<Asker>();

/** Serves a request. `signal` aborts when its client disconnects. */
export const asRequest = <Result>(signal: AbortSignal, serve: () => Result): Result =>
  asking.run(new Asker(signal), serve);

/** Counts what the present request asks of Postgres as reads of the organization's figures from now on. */
export function readsFiguresOf(orgId: string): void {
  const asker = asking.getStore();
  if (asker) asker.figuresOf = orgId;
}

/** Does what others than the present request may wait for, as if it belonged to no request. */
export const outsideRequests = <Result>(work: () => Result): Result => asking.exit(work);

interface Waiting {
  since: number;
  begin(): void;
}

export class RequestQueue {
  /** Requests refused since the start. */
  refused = 0;
  readonly #options: Required<RequestQueueOptions>;
  readonly #figures: Limited;
  readonly #figuresOfEach: ReturnType<typeof limitEach>;
  readonly #figuresWaiting = new Set<AbortController>();
  #free: number;
  /** In the order of arrival. */
  readonly #begun = new Set<Waiting>();
  readonly #new = new Set<Waiting>();
  /** Since when new requests have been waiting. */
  #newSince = 0;

  constructor(options: RequestQueueOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#free = options.places;
    const refusal = () => this.#refusal();
    const ofAllMax = Math.max(1, options.places - LEFT_BY_FIGURES);
    const ofOneMax = Math.max(1, Math.floor(options.places / 2));
    this.#figures = limitConcurrency({ runningMax: ofAllMax, waitingMax: WAITING_MAX, refusal });
    this.#figuresOfEach = limitEach({ runningMax: ofOneMax, waitingMax: FIGURES_WAITING_MAX, refusal });
  }

  /** Statements and transactions that wait for a place. */
  get waiting(): number {
    return this.#begun.size + this.#new.size + this.#figuresWaiting.size;
  }

  /** Returns the client with which requests wait for their turn. */
  on(client: Sql): Sql {
    const begin: Sql["begin"] = (...asked: unknown[]) => this.#begin(() => Reflect.apply(client.begin, client, asked));
    const unsafe: Sql["unsafe"] = (...asked) => this.#queued(client.unsafe(...asked));
    const own = new Map<string | symbol, unknown>(Object.entries({ begin, unsafe }));
    return new Proxy(client, {
      apply: (target, self, asked) => this.#queued(Reflect.apply(target, self, asked)),
      get: (target, property) => own.get(property) ?? Reflect.get(target, property),
    });
  }

  async #begin<Result>(work: () => Promise<Result>): Promise<Result> {
    const asker = asking.getStore();
    if (!asker || asker.transactions > 0) return work();
    return this.#inTurn(asker, async () => {
      asker.transactions++;
      try {
        return await work();
      } finally {
        asker.transactions--;
      }
    });
  }

  /**
   * The driver calls a statement's `handler` once its result is requested, and never for a statement that is a part of
   * another one. So the wait takes place there. One that is read in parts may never be read to its end, and would keep
   * its place.
   */
  #queued<Query extends object>(query: Query): Query {
    if (!isStatement(query)) return query;
    const send = query.handler;
    query.handler = () => {
      const asker = asking.getStore();
      if (!asker || asker.transactions > 0 || query.cursorRows !== undefined) return send(query);
      const work = () => {
        send(query);
        return Promise.prototype.then.call(query, NOTHING, NOTHING);
      };
      this.#inTurn(asker, work).catch(query.reject);
    };
    return query;
  }

  #inTurn<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result> {
    const { figuresOf } = asker;
    const begin = () => this.#atPlace(asker, work);
    return figuresOf === undefined ? begin() : this.#inFiguresTurn(figuresOf, asker.signal, begin);
  }

  /** Runs `begin` once both limits of figures allow it. Rejects once the client has left, or after the longest wait. */
  async #inFiguresTurn<Result>(orgId: string, left: AbortSignal, begin: () => Promise<Result>): Promise<Result> {
    const waiting = new AbortController();
    const abandon = () => waiting.abort(abandoned());
    const timer = setTimeout(() => waiting.abort(this.#refusal()), BEGUN_WAIT_MS_MAX);
    this.#figuresWaiting.add(waiting);
    const end = () => {
      clearTimeout(timer);
      this.#figuresWaiting.delete(waiting);
      left.removeEventListener("abort", abandon);
    };
    if (left.aborted) abandon();
    left.addEventListener("abort", abandon);
    const inTurn = () => {
      end();
      return begin();
    };
    const { signal } = waiting;
    return this.#figuresOfEach(orgId, () => this.#figures(inTurn, signal), signal).finally(end);
  }

  async #atPlace<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--;
    else await this.#turnOf(asker);
    asker.begunIn.add(this);
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  /** Resolves once a place has been passed to this request. */
  #turnOf(asker: Asker): Promise<void> {
    const isNew = !asker.begunIn.has(this);
    const queue = isNew ? this.#new : this.#begun;
    const now = performance.now();
    if (isNew && asker.signal.aborted) return Promise.reject(abandoned());
    if (isNew && (queue.size >= WAITING_MAX || this.#isFull(now))) return Promise.reject(this.#refusal());
    if (this.#new.size === 0) this.#newSince = now;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      queue.delete(waiting);
      clearTimeout(timer);
      asker.signal.removeEventListener("abort", abandon);
    };
    const waiting: Waiting = {
      since: now,
      begin() {
        leave();
        resolve();
      },
    };
    const abandon = () => {
      leave();
      reject(abandoned());
    };
    const refuse = () => {
      leave();
      reject(this.#refusal());
    };
    const timer = setTimeout(refuse, isNew ? this.#options.newWaitMsMax : BEGUN_WAIT_MS_MAX);
    queue.add(waiting);
    if (isNew) asker.signal.addEventListener("abort", abandon);
    return promise;
  }

  #isFull(now: number): boolean {
    const { fullAfterMs, standingMs } = this.#options;
    const [first] = this.#new;
    return first !== undefined && now - first.since >= fullAfterMs && now - this.#newSince >= standingMs;
  }

  #passOn(): void {
    const [next] = this.#begun.size > 0 ? this.#begun : this.#new;
    if (next) next.begin();
    else this.#free++;
  }

  #refusal(): TooManyRequestsError {
    this.refused++;
    return new TooManyRequestsError("Too many requests wait for a connection to Postgres");
  }
}

/** What the driver's statements have beside their result. */
interface Statement extends Promise<unknown> {
  handler(statement: Statement): void;
  reject(error: unknown): void;
  /** Set on a statement that is read in parts. */
  cursorRows?: number;
}

const isStatement = (query: object): query is Statement => query instanceof Promise && "handler" in query;

const NOTHING = () => undefined;
const abandoned = () => new RequestAbandoned("The client disconnected before its request got a connection");
