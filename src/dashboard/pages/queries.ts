import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useChange } from "../api/changes";
import { api, ifMatch, type Schemas, type Tagged, unwrap, unwrapWithEtag } from "../api/client";
import { sendAgainSafely } from "../api/sent-again";
import { rejectOnConflict } from "../drafts/edit-conflict";
import { forgetDraftsOf } from "../drafts/kept-draft";
import { usePagedQuery, useResourceMutation } from "../shell/api-queries";
import { useOrg } from "../shell/session";

export type BioPage = Schemas["BioPage"];
/** A page with the tag that is needed to save it. */
export type EditedPage = Tagged<BioPage>;

const PAGE = 100;

const params = (orgId: string, bioPageId: string) => ({ params: { path: { orgId, bioPageId } } });

const read = (orgId: string, bioPageId: string, signal?: AbortSignal) =>
  unwrapWithEtag(
    api.GET("/api/v1/organizations/{orgId}/bio-pages/{bioPageId}", {
      ...params(orgId, bioPageId),
      ...(signal && { signal }),
    }),
  );

export function useBioPages() {
  const { _id: orgId } = useOrg();
  return usePagedQuery(["bio-pages", orgId, "list"], (page, signal) => readPage(orgId, page, signal));
}

const readPage = (orgId: string, page: number, signal: AbortSignal) =>
  unwrap(
    api.GET("/api/v1/organizations/{orgId}/bio-pages", {
      params: { path: { orgId }, query: { page, limit: PAGE } },
      signal,
    }),
  );

/** Returns those of the ids that are of bio pages. An organization has a few hundred pages at most. */
export async function findBioPages(orgId: string, ids: readonly string[], signal: AbortSignal): Promise<BioPage[]> {
  const found: BioPage[] = [];
  for (let page = 1, pages = 1; page <= pages && found.length < ids.length; page++) {
    const { bioPages, totalPages } = await readPage(orgId, page, signal);
    found.push(...bioPages.filter(({ _id }) => ids.includes(_id)));
    pages = totalPages;
  }
  return found;
}

/** Asks for nothing while there is no id. */
export function useBioPage(bioPageId: string | undefined) {
  const { _id: orgId } = useOrg();
  return useQuery({
    queryKey: ["bio-pages", orgId, "one", bioPageId],
    queryFn: bioPageId === undefined ? skipToken : ({ signal }) => read(orgId, bioPageId, signal),
  });
}

export function useCreatePage() {
  const { _id: orgId } = useOrg();
  return useResourceMutation("bio-pages", (body: Schemas["BioPageInput"]) =>
    sendAgainSafely(`new page ${orgId}`, body, (header) =>
      unwrap(api.POST("/api/v1/organizations/{orgId}/bio-pages", { params: { path: { orgId }, header }, body })),
    ),
  );
}

export function useDeletePage() {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return useChange({
    mutationFn: (bioPageId: string) =>
      unwrap(api.DELETE("/api/v1/organizations/{orgId}/bio-pages/{bioPageId}", params(orgId, bioPageId))),
    onSuccess(_, bioPageId) {
      forgetDraftsOf(bioPageId);
      // The page's own screen is being left, so refresh only the list.
      void client.invalidateQueries({ queryKey: ["bio-pages", orgId, "list"] });
    },
  });
}

export function useSavingPage({ _id: bioPageId }: BioPage) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return {
    /** Rejects with `EditConflict` if the page is no longer the version in `over`. */
    save(body: Schemas["BioPageUpdate"], over: EditedPage) {
      const at = { path: { orgId, bioPageId }, header: ifMatch(over) };
      const saved = api.PATCH("/api/v1/organizations/{orgId}/bio-pages/{bioPageId}", { params: at, body });
      return rejectOnConflict(unwrapWithEtag(saved), () => read(orgId, bioPageId));
    },
    refresh: () => client.invalidateQueries({ queryKey: ["bio-pages", orgId] }),
  };
}
