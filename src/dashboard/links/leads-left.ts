/** Whether a link has leads to be read. */
import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../api/client";
import { useOrg } from "../shell/session";
import type { Link } from "./queries";

/** True for a link that has a lead form, also one that is turned off: it may have leads of before. */
export const hasForm = ({ leadCapture }: Link): boolean => leadCapture !== undefined && leadCapture !== null;

/** Also true for a link whose form was removed, as long as it has leads. False while that is not known. */
export function useMayHaveLeads(link: Link): boolean {
  const { _id: orgId } = useOrg();
  const { _id: linkId } = link;
  const isSure = hasForm(link);
  const { data } = useQuery({
    queryKey: ["leads", orgId, "any", linkId],
    enabled: !isSure,
    queryFn: ({ signal }) => {
      const params = { path: { orgId, linkId }, query: { limit: 1 } };
      return unwrap(api.GET("/api/v1/organizations/{orgId}/links/{linkId}/leads", { params, signal }));
    },
  });
  return isSure || (data?.leads.length ?? 0) > 0;
}
