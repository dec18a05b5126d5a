/** Lists that the API returns page by page, and changes that make them be read again. */
import {
  type InfiniteData,
  type Query,
  type QueryKey,
  type StaleTime,
  useInfiniteQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useChange } from "../api/changes";
import { useOrg } from "./session";

interface PageOf {
  page: number;
  totalPages: number;
}

export const usePagedQuery = <Page extends PageOf>(
  queryKey: QueryKey,
  askPage: (page: number, signal: AbortSignal) => Promise<Page>,
  /** Returns in how many milliseconds the page is to be read again while it is shown; undefined if not by itself. */
  againMs: (page: Page) => number | undefined = () => undefined,
) =>
  useInfiniteQuery({
    queryKey,
    staleTime: freshByPages,
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => askPage(pageParam, signal),
    refetchInterval({ state: { data } }) {
      const waits = data?.pages.map(againMs).filter((wait) => wait !== undefined) ?? [];
      // All pages are read again, each with a request that counts towards the limit.
      return data && waits.length > 0 ? Math.min(...waits) * data.pages.length : false;
    },
    getNextPageParam: ({ page, totalPages }) => (page < totalPages ? page + 1 : undefined),
    select: withoutRepeats<Page>,
  });

/**
 * What was added after the first page was read moved others to the next page, which then lists them again. Leaves out
 * all but the first of the entries with the same id.
 */
function withoutRepeats<Page extends PageOf>(data: InfiniteData<Page, number>): InfiniteData<Page, number> {
  const seen = new Set<string>();
  const isFirst = (entry: unknown): boolean => {
    const { _id: id } = Object(entry);
    return typeof id !== "string" || seen.size < seen.add(id).size;
  };
  const pages = data.pages.map((page) => {
    const lists = Object.entries(page).filter((field): field is [string, unknown[]] => Array.isArray(field[1]));
    return { ...page, ...Object.fromEntries(lists.map(([name, entries]) => [name, entries.filter(isFirst)])) };
  });
  return { ...data, pages };
}

/** Milliseconds for which one page counts as up to date. */
const PAGE_FRESH_MS = 10_000;

/** `staleTime` of a list that is read page by page: the longer it is, the more requests it takes to read it again. */
export const freshByPages = ({ state: { data } }: PagedQuery): number => PAGE_FRESH_MS * (data?.pages.length ?? 1);

interface PagedQuery {
  state: { data: { pages: readonly unknown[] } | undefined };
}

/** Invalidates all queries of the resource after the change, whether or not it succeeded. */
export function useResourceMutation<Input, Output>(resource: string, change: (input: Input) => Promise<Output>) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return useChange({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: [resource, orgId] }),
  });
}

/**
 * `staleTime` of queries whose request changes or costs something. Once there is a response, they are not sent again
 * by themselves, not even when all queries are invalidated after the connection was lost.
 */
export const oncePerAnswer = ({ state }: Pick<Query, "state">): StaleTime => (state.data === undefined ? 0 : "static");
