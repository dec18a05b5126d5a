/** The API requests of the link screens. */
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  skipToken,
  useInfiniteQuery,
  useQueries,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import type { LinkSort, LinkState } from "@/contract/links/link-lists";
import { useChange } from "../api/changes";
import { api, type Schemas, type Tagged, unwrap, unwrapWithEtag } from "../api/client";
import { ApiFailure, failureText } from "../api/failures";
import { sendAgainSafely } from "../api/sent-again";
import { forgetDraftsOf } from "../drafts/kept-draft";
import { freshByPages } from "../shell/api-queries";
import { useOrg } from "../shell/session";
import { toast } from "../ui/toasts";
import { useSearchedText } from "./domains";
import { addLink, dropLinks, isAnyLong, listsKey, putLinks, refreshOthers } from "./listed";

export type Link = Schemas["Link"];
export type ServedLink = Schemas["LinkWithBlockers"];
/** A link with the tag that is needed to save it. */
export type EditedLink = Tagged<Link>;
export type LinkChanges = Schemas["LinkUpdate"];

const PAGE = 100;
const NOT_FOUND = 404;

export interface LinkFilters {
  search?: string | undefined;
  tag?: string[];
  state?: LinkState | undefined;
  domainId?: string | undefined;
  isArchived?: boolean;
  sort?: LinkSort | undefined;
}

export function useLinks(given: LinkFilters) {
  const { _id: orgId } = useOrg();
  const filters = useSoughtFilters(given);
  return useInfiniteQuery({
    queryKey: [...listsKey(orgId), filters],
    staleTime: freshByPages,
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam: cursor, signal }) =>
      unwrap(
        api.GET("/api/v1/organizations/{orgId}/links", {
          params: {
            path: { orgId },
            query: { ...filters, order: filters.sort === "title" ? "asc" : "desc", limit: PAGE, cursor },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

/** Replaces a pasted short URL by what the API can search for. */
export const useSoughtFilters = ({ search, ...others }: LinkFilters) => ({
  ...others,
  search: useSearchedText(search ?? "") || undefined,
});

/** Counts the archived links that these filters select; lists leave them out. */
export function useArchivedCount(given: LinkFilters) {
  const { _id: orgId } = useOrg();
  const { sort, ...filters } = useSoughtFilters(given);
  const query = { ...filters, isArchived: true, limit: 1 };
  return useQuery({
    queryKey: ["links", orgId, "archived", filters],
    enabled: !filters.isArchived,
    queryFn: ({ signal }) =>
      unwrap(api.GET("/api/v1/organizations/{orgId}/links", { params: { path: { orgId }, query }, signal })),
  });
}

const linkKey = (orgId: string, linkId: string | undefined) => ["links", orgId, "one", linkId] as const;

export const readLink = (orgId: string, linkId: string, signal?: AbortSignal) =>
  unwrapWithEtag(
    api.GET("/api/v1/organizations/{orgId}/links/{linkId}", {
      params: { path: { orgId, linkId } },
      ...(signal && { signal }),
    }),
  );

const linkQuery = (orgId: string, linkId: string | undefined) =>
  queryOptions({
    queryKey: linkKey(orgId, linkId),
    queryFn: linkId === undefined ? skipToken : ({ signal }) => readLink(orgId, linkId, signal),
  });

/** Asks for nothing while there is no id. */
export const useLink = (linkId: string | undefined) => useQuery(linkQuery(useOrg()._id, linkId));

/** Returns those of the ids that no link has any more. */
export function useDeletedLinks(linkIds: readonly string[]): readonly string[] {
  const { _id: orgId } = useOrg();
  const ids = [...new Set(linkIds)];
  const answers = useQueries({ queries: ids.map((linkId) => linkQuery(orgId, linkId)) });
  return ids.filter((_, at) => isMissing(answers[at]?.error));
}

/** True for the answer to a request for what has been deleted. */
export const isMissing = (error: unknown): boolean => error instanceof ApiFailure && error.status === NOT_FOUND;

/** Invalidates everything that shows links. */
const refreshLinks = (client: QueryClient, orgId: string): Promise<unknown> =>
  client.invalidateQueries({ queryKey: ["links", orgId] });

/** Shows what has become of these links; reads everything again if they are not known. */
export const showChanged = (
  client: QueryClient,
  orgId: string,
  links: readonly Link[] | undefined,
): Promise<unknown> =>
  links ? Promise.all([putLinks(client, orgId, links), refreshOthers(client, orgId)]) : refreshLinks(client, orgId);

/** Takes deleted links out of what is shown; reads everything again if they are not known. */
export const showDeleted = (
  client: QueryClient,
  orgId: string,
  ids: readonly string[] | undefined,
): Promise<unknown> =>
  ids ? Promise.all([dropLinks(client, orgId, ids), refreshOthers(client, orgId)]) : refreshLinks(client, orgId);

/** Reads the link again where it is shown, and then puts it into the lists. */
export async function refreshLink(client: QueryClient, orgId: string, linkId: string): Promise<void> {
  await refreshOthers(client, orgId);
  const { data, isInvalidated = true } = client.getQueryState<EditedLink>(linkKey(orgId, linkId)) ?? {};
  if (data && !isInvalidated) await putLinks(client, orgId, [data]);
  else await client.invalidateQueries({ queryKey: listsKey(orgId) });
}

/** Shows a new link. */
async function showNew(client: QueryClient, orgId: string, linkId: string): Promise<unknown> {
  const link = isAnyLong(client, orgId) ? await readLink(orgId, linkId).catch(() => undefined) : undefined;
  if (!link) return refreshLinks(client, orgId);
  return Promise.all([addLink(client, orgId, link), refreshOthers(client, orgId)]);
}

export function useCreateLink() {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return useChange({
    mutationFn: (body: Schemas["LinkInput"]) =>
      sendAgainSafely(`new link ${orgId}`, body, (header) =>
        unwrap(api.POST("/api/v1/organizations/{orgId}/links", { params: { path: { orgId }, header }, body })),
      ),
    onSuccess: ({ _id }) => showNew(client, orgId, _id),
  });
}

interface Change {
  link: Link;
  changes: LinkChanges;
  /** Message shown after the change; `undo` are the changes that revert it. */
  told: string;
  undo?: LinkChanges;
}

/** For changes made with one click: reports the change and offers to undo it. */
export function useChangeLink() {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  const change = useChange({
    mutationFn: ({ link, changes }: Pick<Change, "link" | "changes">) =>
      unwrap(
        api.PATCH("/api/v1/organizations/{orgId}/links/{linkId}", {
          params: { path: { orgId, linkId: link._id } },
          body: changes,
        }),
      ),
    onSettled: (link) => showChanged(client, orgId, link && [link]),
    onError: (error) => toast({ text: failureText(error), isFailure: true }),
  });
  return ({ link, changes, told, undo }: Change) =>
    change.mutate(
      { link, changes },
      { onSuccess: () => toast({ text: told, ...(undo && { undo: () => change.mutate({ link, changes: undo }) }) }) },
    );
}

export function useDeleteLink() {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return useChange({
    mutationFn: (linkId: string) =>
      unwrap(api.DELETE("/api/v1/organizations/{orgId}/links/{linkId}", { params: { path: { orgId, linkId } } })),
    onSuccess: (_, linkId) => forgetDraftsOf(linkId),
    onSettled: (deleted) => showDeleted(client, orgId, deleted && [deleted._id]),
    onError: (error) => toast({ text: failureText(error), isFailure: true }),
  });
}
