/**
 * Which GETs of the API each query made, so that a screen can tell the requests behind what it shows: those of the query's
 * first answer, kept as long as the query. A request is known by the signal that would end it.
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

interface Asking {
  signal: AbortSignal;
  urls: string[];
}

const bySignal = new WeakMap<AbortSignal, string[]>();
const byQuery = new WeakMap<Query, Asking>();

export class NotedRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(input, init);
    if (init?.signal && this.method === "GET") bySignal.get(init.signal)?.push(this.url);
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
  const urls: string[] = [];
  byQuery.set(query, { signal, urls });
  bySignal.set(signal, urls);
}

const ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Alike but for ids: what each row of a list asks. */
const kindOf = ({ pathname, searchParams }: URL): string =>
  `${pathname.replaceAll(ID, "")} ${[...new Set(searchParams.keys())]}`;

/** Of what is shown and was answered, one of each kind, in the order they were first made. */
export function urlsBehind(client: QueryClient): URL[] {
  const shown = client
    .getQueryCache()
    .findAll({ type: "active" })
    .filter(({ state }) => state.status === "success");
  const urls = shown.flatMap((query) => byQuery.get(query)?.urls ?? []).map((url) => new URL(url));
  return [...new Map(urls.toReversed().map((url) => [kindOf(url), url])).values()].reverse();
}
