/** A complete breakdown in a dialog, which closes when a row is selected. */
import type { ReactNode } from "react";
import { Failure, Skeleton } from "../ui/data";
import { Dialog } from "../ui/dialog";
import type { FigureQueryState } from "./figure-query";
import { type Overview, useBreakdown } from "./queries";
import { isListed, type ListedBy, Rows } from "./rows";
import { TopLinks } from "./top-links";
import { analyticsWords as words } from "./words";

export function More({ asked, overview }: { asked: FigureQueryState; overview: Overview }) {
  const by = asked.view.get("more");
  if (by === "linkId" && !asked.linkId)
    return (
      <MoreDialog title={words.analytics.groups.links} asked={asked}>
        <TopLinks isWhole asked={asked} overview={overview} />
      </MoreDialog>
    );
  return by !== null && isListed(by) ? <MoreOf by={by} asked={asked} /> : null;
}

function MoreOf({ by, asked }: { by: ListedBy; asked: FigureQueryState }) {
  const { data, error, refetch } = useBreakdown(asked, by);
  return (
    <MoreDialog title={words.analytics.moreOf(words.analytics.dimensions[by])} asked={asked}>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {data ? <Rows by={by} asked={asked} rows={data.rows} total={data.totalClicks} /> : null}
      {data || error ? null : <Skeleton />}
    </MoreDialog>
  );
}

interface DialogProps {
  title: string;
  asked: FigureQueryState;
  children: ReactNode;
}

const MoreDialog = ({ title, asked, children }: DialogProps) => (
  <Dialog title={title} onClose={() => asked.setView("more", "", true)}>
    {children}
  </Dialog>
);
