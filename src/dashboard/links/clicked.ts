/** The links and bio pages that were clicked. Figures contain only their ids. */
import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "../api/client";
import { findBioPages, useBioPage } from "../pages/queries";
import { useOrg } from "../shell/session";
import { useChunks } from "./chunks";
import { isMissing, type Link, useLink } from "./queries";

type BioPage = Schemas["BioPage"];

/** The link or the bio page that was clicked, neither while it loads. */
export interface Clicked {
  link: Link | undefined;
  page: BioPage | undefined;
  name: string | undefined;
  path: string | undefined;
  isDeleted: boolean;
}

export const UNKNOWN: Clicked = {
  link: undefined,
  page: undefined,
  name: undefined,
  path: undefined,
  isDeleted: false,
};

export function useClicked(linkId: string): Clicked {
  const { data: link, error } = useLink(linkId);
  const { data: page, error: pageError } = useBioPage(isMissing(error) ? linkId : undefined);
  return clickedOf(linkId, link, page, isMissing(error) && isMissing(pageError));
}

function clickedOf(
  linkId: string,
  link: Link | undefined,
  page: BioPage | undefined,
  isDeleted = !(link || page),
): Clicked {
  const name = link ? link.title || link.slug : page && (page.title || page.slug);
  const path = link ? `/links/${linkId}` : page && `/pages/${linkId}`;
  return { link, page, name, path, isDeleted };
}

const FRESH_MS = 60_000;

/** Like `useClicked` for many clicks, with as few requests as possible. What is not known yet is missing. */
export function useAllClicked(linkIds: readonly string[]): ReadonlyMap<string, Clicked> {
  const { _id: orgId } = useOrg();
  return useQueries({
    queries: useChunks(linkIds).map((ids) => ({
      queryKey: ["links", orgId, "clicked", ids],
      staleTime: FRESH_MS,
      queryFn: ({ signal }: { signal: AbortSignal }) => readClicked(orgId, ids, signal),
    })),
    combine: byId,
  });
}

type Found = readonly (readonly [linkId: string, clicked: Clicked])[];

const byId = (answers: UseQueryResult<Found>[]): ReadonlyMap<string, Clicked> =>
  new Map(answers.flatMap(({ data = [] }) => data));

async function readClicked(orgId: string, ids: readonly string[], signal: AbortSignal): Promise<Found> {
  const query = { linkId: [...ids], limit: ids.length };
  const { links } = await unwrap(
    api.GET("/api/v1/organizations/{orgId}/links", { params: { path: { orgId }, query }, signal }),
  );
  const byId = new Map(links.map((link) => [link._id, link]));
  const others = ids.filter((id) => !byId.has(id));
  const pages = new Map((await findBioPages(orgId, others, signal)).map((page) => [page._id, page]));
  return ids.map((id) => [id, clickedOf(id, byId.get(id), pages.get(id))] as const);
}
