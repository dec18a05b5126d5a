/**
 * Menu of the organization's saved ranges and filters: saves the current ones, opens a saved report, or updates it
 * with the current ones.
 */
import { Bookmark, BookmarkCheck, BookmarkPlus, ListChecks } from "lucide-react";
import { useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { failureText } from "@/dashboard/api/failures";
import { useDialog } from "@/dashboard/shell/dialogs";
import { useOrg } from "@/dashboard/shell/session";
import { Button } from "@/dashboard/ui/button";
import { Menu } from "@/dashboard/ui/menu";
import { toast } from "@/dashboard/ui/toasts";
import { useFigureQuery } from "../figure-query";
import { analyticsWords as words } from "../words";
import { filtersOf, OPENED, pathOf, searchOf } from "./address";
import { ReportList } from "./list";
import { type Report, useReports, useUpdateReport } from "./queries";
import { SaveReport } from "./save";

/** Number of reports in the menu, newest first; the list has all of them. */
const IN_MENU = 8;

export function Reports() {
  const { reports: said } = words.analytics;
  const { may } = useOrg();
  const [, navigate] = useLocation();
  const [saving, save, endSaving] = useDialog("save");
  const [listing, list, endListing] = useDialog("reports");
  // Load reports only when needed, because they count towards the plan's limit on reading figures.
  const [isNear, setNear] = useState(false);
  const { data: reports = [] } = useReports(isNear);
  const [params, setParams] = useSearchParams();
  const shown = filtersOf(useFigureQuery());
  const here = shown && searchOf(shown);
  const opened = reports.find(({ _id }) => _id === params.get(OPENED));
  const replace = useReplace();
  const putOpened = ({ _id }: Report) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete("save");
        next.set(OPENED, _id);
        return next;
      },
      { replace: true },
    );
  return (
    <>
      <Menu
        label={said.title}
        onNear={() => setNear(true)}
        trigger={<Button icon={Bookmark}>{said.title}</Button>}
        groups={[
          may("member")
            ? [
                ...(shown && opened && searchOf(opened.filters) !== here
                  ? [{ label: said.replace(opened.name), icon: BookmarkCheck, onSelect: () => replace(opened, shown) }]
                  : []),
                { label: said.save, icon: BookmarkPlus, onSelect: () => save() },
              ]
            : [],
          reports.slice(0, IN_MENU).map((report) => ({
            label: <bdi>{report.name}</bdi>,
            isChosen: searchOf(report.filters) === here,
            onSelect: () => navigate(pathOf(report)),
          })),
          [{ label: said.all, icon: ListChecks, onSelect: () => list() }],
        ]}
      />
      {saving === undefined ? null : <SaveReport filters={shown} onSaved={putOpened} onClose={endSaving} />}
      {listing === undefined ? null : <ReportList onClose={endListing} />}
    </>
  );
}

/** Returns a function that replaces a report's filters with the current ones. */
function useReplace() {
  const { reports: said } = words.analytics;
  const update = useUpdateReport();
  const onError = (error: unknown) => toast({ text: failureText(error), isFailure: true });
  const put = (_id: string, filters: Report["filters"], onSuccess?: () => void) =>
    update.mutate({ _id, filters }, { onError, ...(onSuccess && { onSuccess }) });
  return ({ _id, name, filters: before }: Report, filters: Report["filters"]) =>
    put(_id, filters, () => toast({ text: said.saved(name), undo: () => put(_id, before) }));
}
