/** The review queue, click by click. */
import { Link as Anchor, useSearchParams } from "wouter";
import { machineOf, placeOf } from "../live/facts";
import { Segments } from "../ui/charts/segments";
import { Chip, Failure, Skeleton } from "../ui/data";
import { countText, momentText } from "../ui/format";
import { Card, Row, Text } from "../ui/layout";
import { decodedUrl } from "../ui/readable-url";
import { VirtualRows } from "../ui/virtual-rows";
import { Evidence, ROW_PX } from "./evidence";
import { EmptyReviewList } from "./nothing";
import { type Status, type Suspect, type SuspectFilters, useJudge, useSuspects, type Verdict } from "./queries";
import { useRowKeys } from "./use-row-keys";
import { reviewWords as words } from "./words";

const STATUSES = ["pending", "confirmed", "dismissed", "all"] as const;

export function Clicks() {
  const { review } = words;
  const [params, setParams] = useSearchParams();
  const status: Status = STATUSES.find((each) => each === params.get("status")) ?? "pending";
  const addressId = params.get("addressId") ?? undefined;
  const linkId = params.get("linkId") ?? undefined;
  const set = (name: string, value: string | undefined) =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      if (value) next.set(name, value);
      else next.delete(name);
      return next;
    });
  const filters = { status, addressId, linkId };
  return (
    <>
      <Row wrap gap={2}>
        <Segments
          label={review.status}
          value={status}
          options={STATUSES.map((each) => [each, review.statuses[each]] as const)}
          onChange={(next) => set("status", next === "pending" ? undefined : next)}
        />
        {addressId ? (
          <Chip tone="accent" onRemove={() => set("addressId", undefined)}>
            {review.address(addressId)}
          </Chip>
        ) : null}
      </Row>
      <Rows key={JSON.stringify(filters)} filters={filters} onAllLinks={() => set("linkId", undefined)} />
    </>
  );
}

const keyOf = ({ clickId }: Suspect): string => clickId;

function Rows({ filters, onAllLinks }: { filters: SuspectFilters; onAllLinks(): void }) {
  const { review } = words;
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = useSuspects(filters);
  const judge = useJudge();
  const known = data?.pages.flatMap(({ items }) => items) ?? [];
  const rows = known.filter(({ status }) => filters.status === "all" || status === filters.status);
  const judged = known.length - rows.length;
  const onJudge = (suspect: Suspect, verdict: Verdict) => {
    if (suspect.status !== verdict) void judge(suspect, verdict);
  };
  const current = useRowKeys(rows, keyOf, onJudge);
  // Pages are counted from the start of the list: once rows have been judged, the next page starts elsewhere.
  const more = () => hasNextPage && !isFetching && !error && void (judged > 0 ? refetch() : fetchNextPage());
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Card padded={false}>{<Skeleton rows={8} />}</Card>;
  const count = Math.max(rows.length, (data.pages[0]?.total ?? 0) - judged);
  const name = filters.linkId ? known[0] && nameOf(known[0].link) : undefined;
  const onlyLink = filters.linkId ? (
    <Chip tone="accent" onRemove={onAllLinks}>
      {review.onlyLink(name ?? filters.linkId)}
    </Chip>
  ) : null;
  return (
    <>
      {onlyLink ? <Row>{onlyLink}</Row> : null}
      {rows.length > 0 ? <Text soft>{review.count(count, countText(count))}</Text> : null}
      <Card padded={false}>
        {rows.length > 0 || hasNextPage ? (
          <VirtualRows rows={rows} rowPx={ROW_PX} label={review.list} keyOf={keyOf} current={current} onEnd={more}>
            {(suspect, index) => (
              <SuspectRow
                suspect={suspect}
                isStatusShown={filters.status === "all"}
                isCurrent={index === current}
                onJudge={(verdict) => onJudge(suspect, verdict)}
              />
            )}
          </VirtualRows>
        ) : (
          <EmptyReviewList status={filters.status} path="/review" />
        )}
      </Card>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : null}
    </>
  );
}

export const nameOf = ({ title, shortUrl }: Suspect["link"]): string => title || decodedUrl(shortUrl);

interface SuspectRowProps {
  suspect: Suspect;
  isStatusShown: boolean;
  isCurrent: boolean;
  onJudge(verdict: Verdict): void;
}

const SuspectRow = ({ suspect, isStatusShown, isCurrent, onJudge }: SuspectRowProps) => {
  const { review, live } = words;
  const { link, occurredAt, visitor, reasons, score, status } = suspect;
  const name = nameOf(link);
  return (
    <Evidence
      {...{ name, reasons, score, status, isStatusShown, isCurrent, onJudge }}
      title={link.isDeleted ? live.deleted : <Anchor href={`/links/${link._id}`}>{name}</Anchor>}
      facts={review.facts(placeOf(visitor), machineOf(visitor), momentText(occurredAt))}
    />
  );
};
