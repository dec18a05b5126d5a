import { useQuery } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "@/dashboard/api/client";
import { sendAgainSafely } from "@/dashboard/api/sent-again";
import { useResourceMutation } from "@/dashboard/shell/api-queries";
import { useOrg } from "@/dashboard/shell/session";

export type Report = Schemas["Report"];

const PAGE = 100;

/** Reads all reports; there are at most two pages. */
export function useReports(enabled = true) {
  const { _id: orgId } = useOrg();
  return useQuery({
    enabled,
    queryKey: ["reports", orgId],
    queryFn: async ({ signal }) => {
      const reports: Report[] = [];
      for (let page = 1, last = 1; page <= last; page++) {
        const read = await unwrap(
          api.GET("/api/v1/organizations/{orgId}/analytics/reports", {
            params: { path: { orgId }, query: { page, limit: PAGE } },
            signal,
          }),
        );
        reports.push(...read.reports);
        last = read.totalPages;
      }
      return reports;
    },
  });
}

export function useSaveReport() {
  const { _id: orgId } = useOrg();
  return useResourceMutation("reports", (body: Schemas["ReportInput"]) =>
    sendAgainSafely(`new report ${orgId}`, body, (header) =>
      unwrap(
        api.POST("/api/v1/organizations/{orgId}/analytics/reports", { params: { path: { orgId }, header }, body }),
      ),
    ),
  );
}

/** Replaces each given field as a whole. */
export function useUpdateReport() {
  const { _id: orgId } = useOrg();
  return useResourceMutation("reports", ({ _id: reportId, ...body }: Pick<Report, "_id"> & Schemas["ReportUpdate"]) =>
    unwrap(
      api.PATCH("/api/v1/organizations/{orgId}/analytics/reports/{reportId}", {
        params: { path: { orgId, reportId } },
        body,
      }),
    ),
  );
}

export function useDeleteReport(reportId: string) {
  const { _id: orgId } = useOrg();
  return useResourceMutation("reports", () =>
    unwrap(
      api.DELETE("/api/v1/organizations/{orgId}/analytics/reports/{reportId}", {
        params: { path: { orgId, reportId } },
      }),
    ),
  );
}
