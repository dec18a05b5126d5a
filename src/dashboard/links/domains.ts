/** The organization's domains, and what they mean for a search. */
import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../api/client";
import { useOrg, useSession } from "../shell/session";
import { searchedText } from "./searched-text";

export function useDomains() {
  const { _id: orgId } = useOrg();
  return useQuery({
    queryKey: ["domains", orgId],
    queryFn: ({ signal }) =>
      unwrap(api.GET("/api/v1/organizations/{orgId}/domains", { params: { path: { orgId } }, signal })),
  });
}

/** Returns what to search for in the organization's links. */
export function useSearchedText(typed: string): string {
  const sharedDomain = useSession().data?.sharedDomain ?? "";
  const domains = useDomains().data ?? [];
  return searchedText(typed, [sharedDomain, ...domains.map(({ hostname }) => hostname)]);
}
