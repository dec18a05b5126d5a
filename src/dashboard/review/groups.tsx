/** The review queue by address or by link; one verdict applies to all clicks of a group. */
import { useCallback, useState } from "react";
import { Link as Anchor, useSearchParams } from "wouter";
import { failureText } from "../api/failures";
import { Segments } from "../ui/charts/segments";
import { Failure, Skeleton } from "../ui/data";
import { Confirm } from "../ui/dialog";
import { countText, dayText } from "../ui/format";
import { Card, Row } from "../ui/layout";
import { toast } from "../ui/toasts";
import { VirtualRows } from "../ui/virtual-rows";
import { nameOf } from "./clicks";
import { Evidence, ROW_PX } from "./evidence";
import { EmptyReviewList } from "./nothing";
import { type Group, type GroupBy, useGroups, useJudgeAll, type Verdict } from "./queries";
import { useRowKeys } from "./use-row-keys";
import { reviewWords as words } from "./words";

const STATUSES = ["pending", "confirmed", "dismissed"] as const;
const BYS = ["address", "link"] as const;

export function Groups() {
  const { review } = words;
  const [params, setParams] = useSearchParams();
  const by: GroupBy = BYS.find((each) => each === params.get("by")) ?? "address";
  const status: Verdict = STATUSES.find((each) => each === params.get("status")) ?? "pending";
  const set = (next: { by?: GroupBy; status?: Verdict }) => setParams({ by, status, ...next });
  return (
    <>
      <Row wrap gap={3}>
        <Segments
          label={review.by}
          value={by}
          options={BYS.map((each) => [each, review.bys[each]] as const)}
          onChange={(next) => set({ by: next })}
        />
        <Segments
          label={review.status}
          value={status}
          options={STATUSES.map((each) => [each, review.statuses[each]] as const)}
          onChange={(next) => set({ status: next })}
        />
      </Row>
      <Rows key={`${by} ${status}`} by={by} status={status} />
    </>
  );
}

const keyOf = ({ addressId, link }: Group): string => link?._id ?? addressId ?? "";

function Rows({ by, status }: { by: GroupBy; status: Verdict }) {
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = useGroups({ by, status });
  const [asked, setAsked] = useState<{ group: Group; verdict: Verdict }>();
  const close = useCallback(() => setAsked(undefined), []);
  const rows = data?.pages.flatMap(({ groups }) => groups) ?? [];
  const ask = (group: Group, verdict: Verdict) => {
    if (keyOf(group) && verdict !== status) setAsked({ group, verdict });
  };
  const current = useRowKeys(rows, keyOf, ask);
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Card padded={false}>{<Skeleton rows={8} />}</Card>;
  return (
    <Card padded={false}>
      {rows.length > 0 ? (
        <VirtualRows
          {...{ rows, rowPx: ROW_PX, label: words.review.groups, keyOf, current }}
          onEnd={() => hasNextPage && !isFetching && !error && void fetchNextPage()}
        >
          {(group, index) => (
            <GroupRow
              {...{ group, status, isCurrent: index === current }}
              onJudge={keyOf(group) ? (verdict) => ask(group, verdict) : undefined}
            />
          )}
        </VirtualRows>
      ) : (
        <EmptyReviewList status={status} path="/review/groups" />
      )}
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {asked ? <AskAll {...asked} current={status} onClose={close} /> : null}
    </Card>
  );
}

const groupName = ({ addressId, link }: Group): string =>
  link ? nameOf(link) : addressId ? words.review.address(addressId) : words.review.unknownAddress;

interface GroupRowProps {
  group: Group;
  status: Verdict;
  isCurrent: boolean;
  onJudge: ((verdict: Verdict) => void) | undefined;
}

const GroupRow = ({ group, status, isCurrent, onJudge }: GroupRowProps) => {
  const { review } = words;
  const { addressId, link, clicks, links, addresses, reasons, score, firstAt, lastAt } = group;
  const name = groupName(group);
  const [first, last] = [dayText(firstAt), dayText(lastAt)];
  const span = first === last ? first : review.span(first, last);
  const query = new URLSearchParams({ status, ...(link ? { linkId: link._id } : { addressId: addressId ?? "" }) });
  return (
    <Evidence
      {...{ name, reasons, score, status, isCurrent, onJudge }}
      title={onJudge || link ? <Anchor href={`/review?${query}`}>{name}</Anchor> : name}
      facts={
        link
          ? review.ofLink(clicks, countText(clicks), addresses, span)
          : review.ofAddress(clicks, countText(clicks), links, span)
      }
    />
  );
};

interface AskAllProps {
  group: Group;
  verdict: Verdict;
  current: Verdict;
  onClose(): void;
}

/** States the effect on the figures first, because many clicks change them visibly. */
function AskAll({ group, verdict, current, onClose }: AskAllProps) {
  const { many, acts, actOn } = words.review;
  const judgeAll = useJudgeAll();
  const confirm = () =>
    judgeAll.mutate(
      { group, current, verdict },
      {
        onSuccess: (judged) => toast({ text: many.done[verdict](judged, countText(judged)) }),
        onError: (error) => toast({ text: failureText(error), isFailure: true }),
        close: onClose,
      },
    );
  return (
    <Confirm
      title={actOn[verdict](groupName(group))}
      text={
        <>
          {many.effect[verdict](group.clicks, countText(group.clicks))} {many.later}
        </>
      }
      act={acts[verdict]}
      kind={verdict === "confirmed" ? "danger" : "primary"}
      isBusy={judgeAll.isPending}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
