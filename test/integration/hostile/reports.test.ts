import { describe } from "bun:test";
import { testHostileBodies } from "@test/support/hostile/bodies";
import { startTestService } from "@test/support/service";
import { ReportInput, ReportUpdate } from "@/contract/analytics/reports";
import { SERIES_METRICS } from "@/contract/analytics/series";

const service = await startTestService();
const ada = await service.register();
const { token } = ada;
const link = await service.createLink(ada, { defaultUrl: "https://example.com/" });
const reports = `/api/v1/organizations/${ada.orgId}/analytics/reports`;
const made = await service.call<{ _id: string }>("POST", reports, { token, body: { name: "Weekly" } });

const filters = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z", linkId: link._id, includeBots: true };
const valid = { name: "Weekly", description: "For Mondays", filters, metrics: [...SERIES_METRICS] };
const echoed = ["description"];

describe("POST analytics/reports", () => {
  testHostileBodies(service, {
    method: "POST",
    path: reports,
    schema: ReportInput,
    valid,
    credentials: { token },
    echoed,
  });
});

describe("PATCH analytics/reports", () => {
  testHostileBodies(service, {
    method: "PATCH",
    path: `${reports}/${made.body._id}`,
    schema: ReportUpdate,
    valid,
    credentials: { token },
    echoed,
  });
});
