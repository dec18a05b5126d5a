/** All figures of the organization or of one link, for a range and filters. */
import { ChartColumn } from "lucide-react";
import { LinkButton } from "../ui/button";
import { Empty, Failure, Notice, Settling, Skeleton } from "../ui/data";
import { countText } from "../ui/format";
import { Card, Stack, Text } from "../ui/layout";
import { lazyPart, Part } from "../ui/part";
import { Cards } from "./cards";
import { Computed } from "./computed";
import { Controls } from "./controls";
import { type FigureQueryState, useFigureQuery } from "./figure-query";
import { More } from "./more";
import { OverTime } from "./over-time";
import { type Overview, useOverview, waitSecondsOf } from "./queries";
import { analyticsWords as words } from "./words";

const Assistant = lazyPart(() => import("./assistant/card"));

export default function Figures({ linkId }: { linkId?: string }) {
  const asked = useFigureQuery(linkId);
  const { data, error, failureReason, isPlaceholderData, refetch } = useOverview(asked);
  const wait = waitSecondsOf(failureReason);
  return (
    <Stack gap={4}>
      <Controls asked={asked} />
      {wait === undefined || error ? null : <Notice>{words.analytics.slower(wait)}</Notice>}
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        <Settling isOld={isPlaceholderData}>
          <Shown asked={asked} overview={data} />
        </Settling>
      ) : (
        <Waiting isShown={!error} />
      )}
    </Stack>
  );
}

const Waiting = ({ isShown }: { isShown: boolean }) =>
  isShown ? (
    <Card padded={false}>
      <Skeleton rows={8} />
    </Card>
  ) : null;

function Shown({ asked, overview }: { asked: FigureQueryState; overview: Overview }) {
  const { analytics } = words;
  const { clicksBefore } = overview;
  if (isEmpty(overview, asked)) {
    return (
      <Card>
        <Empty
          icon={ChartColumn}
          title={analytics.empty.title}
          text={analytics.empty.text}
          action={asked.linkId ? undefined : <LinkButton to="/links">{analytics.empty.toLinks}</LinkButton>}
        />
      </Card>
    );
  }
  return (
    <>
      <OverTime asked={asked} overview={overview} />
      {clicksBefore && clicksBefore.count > 0 ? (
        <Text soft small>
          {analytics.importedBefore(countText(clicksBefore.count), countText(clicksBefore.links))}
        </Text>
      ) : null}
      <Cards asked={asked} overview={overview} />
      <Computed asked={asked} />
      <Part waiting={<Skeleton />}>
        <Assistant asked={asked} />
      </Part>
      <More asked={asked} overview={overview} />
    </>
  );
}

/** True if there are no figures in this range or the one before, and no filter is the reason. */
const isEmpty = ({ previous, clicksBefore, ...current }: Overview, { filters, linkId }: FigureQueryState) =>
  countOf(current) + (previous ? countOf(previous) : 0) + (clicksBefore?.count ?? 0) === 0 &&
  Object.keys(filters).every((name) => name === "linkId" && linkId !== undefined);

/** Counts clicks, and what may come without them: events of a shop, or installs and leads of earlier clicks. */
const countOf = ({ totalClicks, conversionFunnel = [] }: Pick<Overview, "totalClicks" | "conversionFunnel">) =>
  conversionFunnel.reduce((sum, { count }) => sum + count, totalClicks);
