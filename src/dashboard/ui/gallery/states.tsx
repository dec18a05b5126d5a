/** States and lists. */
import { Inbox } from "lucide-react";
import { ApiFailure } from "@/dashboard/api/failures";
import { Button } from "../button";
import { Chip, Empty, Failure, Notice, ShowMore, Skeleton } from "../data";
import { countText } from "../format";
import { Card, Grow, Row, Stack } from "../layout";
import { Progress } from "../progress";
import { Meter, Sparkline, Table } from "../table";

const nothing = () => {};
const FAILED = new ApiFailure(503, "The figures are being moved to another server");
const MORE = {
  ...{ hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: false },
  ...{ error: FAILED, fetchNextPage: nothing },
};

export const StateParts = () => (
  <Stack>
    <Row wrap>
      <Chip>Plain</Chip>
      <Chip tone="good">Good</Chip>
      <Chip tone="warn">Warning</Chip>
      <Chip tone="bad">Bad</Chip>
      <Chip tone="accent" onRemove={nothing}>
        Removable
      </Chip>
    </Row>
    <Notice>Notice</Notice>
    <Notice tone="good">Good</Notice>
    <Notice tone="warn">Warning</Notice>
    <Failure error={new ApiFailure(409, "This slug is already used on its domain")} onRetry={nothing} />
    <Card>
      <Empty
        icon={Inbox}
        title="Nothing here yet"
        text="What to do first."
        action={<Button kind="primary">Do it</Button>}
      />
    </Card>
    <Card padded={false}>
      <Skeleton rows={3} />
    </Card>
    <Meter label="Links" used={312} limit={1_000} text="312 of 1,000" />
    <Meter label="Domains" used={3} limit={3} text="3 of 3" />
    <Meter label="Members" used={3} limit={null} text="3, unlimited" />
    <Progress label="12 of 40" value={12} max={40} />
  </Stack>
);

const ROWS = [
  { name: "Germany", clicks: 1_200, week: [3, 5, 2, 8, 9, 4, 12] },
  { name: "France", clicks: 640, week: [0, 0, 1, 0, 2, 0, 0] },
];

export const ListParts = () => (
  <Stack>
    <Card title="Lists" padded={false}>
      <Table
        label="Countries"
        rows={ROWS}
        keyOf={({ name }) => name}
        columns={[
          { title: "Country", cell: ({ name }) => name },
          {
            title: "Week",
            isTitleHidden: true,
            cell: ({ name, week }) => (
              <Row>
                <Grow />
                <Sparkline values={week} label={`${name}: ${week.join(", ")}`} />
              </Row>
            ),
          },
          { title: "Clicks", isNumber: true, cell: ({ clicks }) => countText(clicks) },
        ]}
      />
    </Card>
    <Row>
      <ShowMore of={MORE} />
      <ShowMore of={{ ...MORE, isFetchingNextPage: true }} />
      <ShowMore of={{ ...MORE, isFetchNextPageError: true }} />
    </Row>
  </Stack>
);
