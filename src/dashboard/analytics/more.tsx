/** A complete breakdown in a dialog, which closes when a row is selected. */

import { Failure, Skeleton } from "../ui/data";
import { Dialog } from "../ui/dialog";
import { words } from "../words";
import type { FigureQueryState } from "./figure-query";
import { useBreakdown } from "./queries";
import { isListed, type ListedBy, Rows } from "./rows";

export function More({ asked }: { asked: FigureQueryState }) {
  const by = asked.view.get("more");
  return by !== null && isListed(by) ? <MoreOf by={by} asked={asked} /> : null;
}

function MoreOf({ by, asked }: { by: ListedBy; asked: FigureQueryState }) {
  const { data, error, refetch } = useBreakdown(asked, by);
  return (
    <Dialog
      title={words.analytics.moreOf(words.analytics.dimensions[by])}
      onClose={() => asked.setView("more", "", true)}
    >
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {data ? <Rows by={by} asked={asked} rows={data.rows} total={data.totalClicks} /> : null}
      {data || error ? null : <Skeleton />}
    </Dialog>
  );
}
