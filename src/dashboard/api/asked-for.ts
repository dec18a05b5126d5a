/**
 * Records which API requests each query made, so that a screen can list the requests behind its content. Only the
 * requests of a query's first successful fetch are recorded, and they are kept as long as the query. All queries are
 * read-only, whatever their HTTP method. A request is assigned to its query by the abort signal that both share.
 */
import {
  type DefaultError,
  type DefaultedQueryObserverOptions,
  type Query,
  QueryClient,
  type QueryKey,
  type QueryObserverOptions,
} from "@tanstack/react-query";

type Options<A, E, D, Q, K extends QueryKey, P> =
  | QueryObserverOptions<A, E, D, Q, K, P>
  | DefaultedQueryObserverOptions<A, E, D, Q, K>;

interface Noted {
  method: string;
  url: URL;
  /** JSON text. */
  body: string | undefined;
}

interface Asking {
  signal: AbortSignal;
  requests: Noted[];
}

const bySignal = new WeakMap<AbortSignal, Noted[]>();
const byQuery = new WeakMap<Query, Asking>();

export class NotedRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(input, init);
    if (!init?.signal) return;
    const body = typeof init.body === "string" ? init.body : undefined;
    bySignal.get(init.signal)?.push({ method: this.method, url: new URL(this.url), body });
  }
}

export class NotingClient extends QueryClient {
  override defaultQueryOptions<A = unknown, E = DefaultError, D = A, Q = A, K extends QueryKey = QueryKey, P = never>(
    options: Options<A, E, D, Q, K, P>,
  ) {
    const whole = super.defaultQueryOptions<A, E, D, Q, K, P>(options);
    const { queryFn, queryHash } = whole;
    if (options._defaulted || typeof queryFn !== "function") return whole;
    whole.queryFn = (context) => {
      const query = this.getQueryCache().get(queryHash);
      if (query) note(query, context.signal);
      return queryFn(context);
    };
    return whole;
  }
}

function note(query: Query, signal: AbortSignal): void {
  const known = byQuery.get(query);
  // Without data, the previous attempt was cancelled or failed, so record this one instead.
  if (known && (known.signal === signal || query.state.data !== undefined)) return;
  const requests: Noted[] = [];
  byQuery.set(query, { signal, requests });
  bySignal.set(signal, requests);
}

const ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Equal for requests that differ only in ids or parameter values, such as those of each row in a list. */
const kindOf = ({ method, url: { pathname, searchParams } }: Noted): string =>
  `${method} ${pathname.replaceAll(ID, "")} ${[...new Set(searchParams.keys())]}`;

/**
 * Returns the requests behind the active, successful queries: one of each kind, in the order in which they were first
 * made.
 */
export function requestsBehind(client: QueryClient): Noted[] {
  const shown = client
    .getQueryCache()
    .findAll({ type: "active" })
    .filter(({ state }) => state.status === "success");
  const requests = shown.flatMap((query) => byQuery.get(query)?.requests ?? []);
  return [...new Map(requests.toReversed().map((request) => [kindOf(request), request])).values()].reverse();
}
