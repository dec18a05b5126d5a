/**
 * Which requests each query made to the API, so that a screen can tell those behind what it shows: those of the query's first
 * answer, kept as long as the query. Queries change nothing, whatever their method. A request is known by the signal that
 * would end it.
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
  /** As JSON. */
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
  // Without an answer, the attempt before was given up.
  if (known && (known.signal === signal || query.state.data !== undefined)) return;
  const requests: Noted[] = [];
  byQuery.set(query, { signal, requests });
  bySignal.set(signal, requests);
}

const ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Alike but for ids: what each row of a list asks. */
const kindOf = ({ method, url: { pathname, searchParams } }: Noted): string =>
  `${method} ${pathname.replaceAll(ID, "")} ${[...new Set(searchParams.keys())]}`;

/** Of what is shown and was answered, one of each kind, in the order they were first made. */
export function requestsBehind(client: QueryClient): Noted[] {
  const shown = client
    .getQueryCache()
    .findAll({ type: "active" })
    .filter(({ state }) => state.status === "success");
  const requests = shown.flatMap((query) => byQuery.get(query)?.requests ?? []);
  return [...new Map(requests.toReversed().map((request) => [kindOf(request), request])).values()].reverse();
}
