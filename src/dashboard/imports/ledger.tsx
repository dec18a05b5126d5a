import type { ReactNode } from "react";
import { Link as Anchor, useSearchParams } from "wouter";
import type { Schemas } from "../api/client";
import { Button } from "../ui/button";
import { Select } from "../ui/choice";
import { Chip, Failure, Settling, Skeleton } from "../ui/data";
import { countText } from "../ui/format";
import { Card, Row, Stack, Text } from "../ui/layout";
import { Table } from "../ui/table";
import { type Job, type RowResult, useLedger } from "./queries";
import { importsWords as words } from "./words";

type ImportRow = Schemas["ImportRow"];

const TONES: Partial<Record<RowResult, "good" | "warn" | "bad">> = {
  ...{ created: "good", suffixed: "good", replaced: "good", unchanged: "good" },
  ...{ skipped: "warn", collision: "warn", kept: "warn", refused: "bad" },
};

const isResult = (text: string | null): text is RowResult =>
  text !== null && Object.hasOwn(words.imports.results, text);

export function Ledger({ job, actions }: { job: Job; actions: ReactNode }) {
  const { imports } = words;
  const [params, setParams] = useSearchParams();
  const asked = params.get("result");
  const result = isResult(asked) ? asked : undefined;
  const { data, error, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useLedger(
    job,
    result,
  );
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Card
      title={imports.ledger}
      padded={false}
      actions={
        <>
          <Select
            {...{ label: imports.result, isLabelHidden: true, value: result ?? "" }}
            onChange={(value) => setParams(value ? { result: value } : {})}
            options={[["", imports.anyResult], ...Object.entries(imports.results)]}
          />
          {actions}
        </>
      }
    >
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        <Settling isOld={isPlaceholderData}>
          <Rows rows={rows} />
        </Settling>
      ) : (
        <Skeleton />
      )}
      {hasNextPage ? (
        <Row>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {imports.older}
          </Button>
        </Row>
      ) : null}
    </Card>
  );
}

const Rows = ({ rows }: { rows: readonly ImportRow[] }) => {
  const { imports } = words;
  return (
    <Table
      label={imports.ledger}
      rows={rows}
      keyOf={({ row, part }) => `${row} ${part}`}
      columns={[
        { title: imports.row, isNumber: true, cell: ({ row }) => countText(row) },
        {
          title: imports.address,
          cell: ({ address, linkId }) =>
            linkId ? <Anchor href={`/links/${linkId}`}>{address}</Anchor> : <Text foreign>{address}</Text>,
        },
        { title: imports.result, cell: ({ result }) => <Chip tone={TONES[result]}>{imports.results[result]}</Chip> },
        { title: imports.why, cell: (row) => <Why row={row} /> },
      ]}
    />
  );
};

const Why = ({ row: { why, dropped, differences = [], notAsked } }: { row: ImportRow }) => (
  <Stack gap={1}>
    {why ? <Text>{why}</Text> : null}
    {distinct(dropped.map(({ field, why }) => words.imports.dropped(field, why))).map((text) => (
      <Text key={text} soft>
        {text}
      </Text>
    ))}
    {distinct(
      differences.map(({ visitor, expected, actual }) => words.imports.differs(visitor.summary, expected, actual)),
    ).map((text) => (
      <Text key={text}>{text}</Text>
    ))}
    {notAsked ? <Text soft>{notAsked}</Text> : null}
  </Stack>
);

/** A field may be dropped several times, such as one rule after the other. */
const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];
