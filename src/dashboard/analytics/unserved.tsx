/** Visits that were turned away, by reason and address. */
import type { Schemas } from "../api/client";
import { Bars } from "../ui/charts/bars";
import { Failure, Settling, Skeleton } from "../ui/data";
import { countText } from "../ui/format";
import { Card, Stack, Text } from "../ui/layout";
import { Table } from "../ui/table";
import { useUnserved } from "./computed-queries";
import type { FigureQuery } from "./figure-query";
import { analyticsWords as words } from "./words";

type Visits = Schemas["UnservedVisits"];

const ROWS = 8;

export function Unserved({ asked }: { asked: FigureQuery }) {
  const { data, error, isPlaceholderData, refetch } = useUnserved(asked);
  return (
    <Card title={words.analytics.computed.unserved.title}>
      <Stack gap={2}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : null}
        {data ? (
          <Settling isOld={isPlaceholderData} gap={2}>
            <Counted visits={data} />
          </Settling>
        ) : error ? null : (
          <Skeleton rows={2} />
        )}
        <Text soft small>
          {words.analytics.computed.method(words.analytics.computed.unserved.method)}
        </Text>
      </Stack>
    </Card>
  );
}

function Counted({ visits: { total, byReason, visits } }: { visits: Visits }) {
  const said = words.analytics.computed.unserved;
  if (total === 0) return <Text>{said.none}</Text>;
  const bars = byReason.map(({ reason, status, count }) => ({
    key: reason,
    text: said.reason(said.reasons[reason], status),
    count,
  }));
  return (
    <Stack gap={2}>
      <Text>{said.total(countText(total))}</Text>
      <Bars label={said.title} bars={bars} total={total} />
      <Table
        label={said.addresses}
        rows={visits.slice(0, ROWS)}
        keyOf={({ domainId, linkId, address, reason }) => JSON.stringify([domainId, linkId, address, reason])}
        columns={[
          { title: said.address, cell: addressOf },
          { title: said.count, isNumber: true, cell: ({ count }) => countText(count) },
        ]}
      />
    </Stack>
  );
}

/** Visitors choose the path, so it is shown only as text, not as a link. */
const addressOf = ({ hostname, address, title }: Visits["visits"][number]) => (
  <>
    <Text foreign>{address === null ? words.analytics.computed.unserved.others : `${hostname ?? ""}${address}`}</Text>
    {title ? (
      <Text soft small foreign>
        {title}
      </Text>
    ) : null}
  </>
);
