/** The limits of the plan, and how much of each is used. */
import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../api/client";
import { useOrg } from "../shell/session";
import { Failure, Skeleton } from "../ui/data";
import { countText, monthText } from "../ui/format";
import { Card, Stack } from "../ui/layout";
import { Meter } from "../ui/table";
import { settingsWords as words } from "./words";

const COUNTED = ["links", "domains", "members", "apiKeys"] as const;

export function UsageCard() {
  const { usage: said } = words.settings;
  const { _id: orgId } = useOrg();
  const { data, error, refetch } = useQuery({
    queryKey: ["usage", orgId],
    queryFn: ({ signal }) =>
      unwrap(api.GET("/api/v1/organizations/{orgId}/usage", { params: { path: { orgId } }, signal })),
  });
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  const meters = [
    ...COUNTED.map((name) => ({ label: said[name], ...data[name] })),
    { label: said.requests(monthText(`${data.month}-01T00:00:00Z`)), ...data.requests },
  ];
  return (
    <Card title={said.title(said.plans[data.plan])}>
      <Stack>
        {meters.map(({ label, used, limit }) => (
          <Meter
            key={label}
            {...{ label, used, limit }}
            text={limit === null ? said.unlimited(countText(used)) : said.ofLimit(countText(used), countText(limit))}
          />
        ))}
      </Stack>
    </Card>
  );
}
