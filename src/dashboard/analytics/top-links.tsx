import { Button } from "../ui/button";
import { Bars } from "../ui/charts/bars";
import { Failure, Settling, Skeleton } from "../ui/data";
import { Text } from "../ui/layout";
import type { FigureQueryState } from "./figure-query";
import { type Overview, useTopLinks } from "./queries";
import { analyticsWords as words } from "./words";

const ROWS = 10;
/** Limit of the API. */
const ROWS_MAX = 100;

interface TopLinksProps {
  asked: FigureQueryState;
  overview: Overview;
  /** Shows as many links as the API lists, instead of the first few. */
  isWhole?: boolean;
}

/** The only card with a request of its own, because an overview contains no links. */
export function TopLinks({ asked, overview, isWhole = false }: TopLinksProps) {
  const { analytics } = words;
  const { data, error, isPlaceholderData, refetch } = useTopLinks(asked, isWhole ? ROWS_MAX : ROWS);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={3} />;
  if (data.links.length === 0)
    return (
      <Settling isOld={isPlaceholderData}>
        <Text soft>{analytics.nothing}</Text>
      </Settling>
    );
  const bars = data.links.map(({ _id, title, slug, isDeleted, clicks }) => ({
    key: _id,
    text: isDeleted ? analytics.deletedLink(title || slug) : title || slug,
    count: clicks,
    isChosen: asked.filters.linkId?.includes(_id) ?? false,
    onChoose: () => asked.toggle("linkId", _id),
  }));
  return (
    <Settling isOld={isPlaceholderData} gap={2}>
      {/* Without bots, a link's clicks are no part of a total that includes them: its share is left out. */}
      <Bars label={analytics.dimensions.linkId} bars={bars} total={asked.includeBots ? 0 : overview.totalClicks} />
      {asked.includeBots ? (
        <Text soft small>
          {analytics.moreOfBots}
        </Text>
      ) : null}
      {isWhole || bars.length < ROWS ? null : (
        <Button small kind="quiet" onClick={() => asked.setView("more", "linkId")}>
          {analytics.more}
        </Button>
      )}
    </Settling>
  );
}
