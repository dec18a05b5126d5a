/** What followed the clicks: the funnel and custom events. */
import { Bars } from "../ui/charts/bars";
import { countText } from "../ui/format";
import { Card } from "../ui/layout";
import { Table } from "../ui/table";
import type { Overview } from "./queries";
import { analyticsWords as words } from "./words";

export function Conversions({ overview }: { overview: Overview }) {
  const { analytics } = words;
  const { conversionFunnel, byEvent = [], totalClicks } = overview;
  if (!conversionFunnel) return null;
  const bars = conversionFunnel.map(({ stage, count }) => ({ key: stage, text: analytics.metrics[stage], count }));
  return (
    <>
      <Card title={analytics.funnel}>
        <Bars label={analytics.funnel} bars={bars} total={totalClicks} />
      </Card>
      {byEvent.length > 0 ? (
        <Card title={analytics.events} padded={false}>
          <Table
            label={analytics.events}
            rows={byEvent}
            keyOf={({ name }) => name}
            columns={[
              { title: analytics.eventName, cell: ({ name }) => name },
              { title: analytics.eventCount, isNumber: true, cell: ({ count }) => countText(count) },
              { title: analytics.eventValue, isNumber: true, cell: ({ value }) => countText(value) },
            ]}
          />
        </Card>
      ) : null}
    </>
  );
}
