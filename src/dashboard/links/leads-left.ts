/** Whether links have leads to be read. */
import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../api/client";
import { useOrg } from "../shell/session";
import type { SelectedLink } from "./chosen";
import type { Link } from "./queries";

/** Links that are asked about one by one. Of more, any may have leads. */
const ASKED_MAX = 20;

/** True for a link that has a lead form, also one that is turned off: it may have leads of before. */
const hasForm = ({ leadCapture }: SelectedLink): boolean => leadCapture !== undefined && leadCapture !== null;

/** Also true for a link whose form was removed, as long as it has leads. False while that is not known. */
export function useMayHaveLeads(link: Link): boolean {
  const isSure = hasForm(link);
  const { data = false } = useQuery({ ...anyLeads(useOrg()._id, link), enabled: !isSure });
  return isSure || data;
}

/** Like `useMayHaveLeads`, for any of several links. */
export function useMayAnyHaveLeads(links: readonly SelectedLink[]): boolean {
  const { _id: orgId } = useOrg();
  const isSure = links.length > ASKED_MAX || links.some(hasForm);
  const answers = useQueries({ queries: isSure ? [] : links.map((link) => anyLeads(orgId, link)) });
  return isSure || answers.some(({ data }) => data);
}

const anyLeads = (orgId: string, { _id: linkId }: SelectedLink) =>
  queryOptions({
    queryKey: ["leads", orgId, "any", linkId],
    queryFn: async ({ signal }) => {
      const params = { path: { orgId, linkId }, query: { limit: 1 } };
      const asked = api.GET("/api/v1/organizations/{orgId}/links/{linkId}/leads", { params, signal });
      return (await unwrap(asked)).leads.length > 0;
    },
  });
