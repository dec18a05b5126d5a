import { Bookmark, Download as DownloadIcon, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { Link as Anchor } from "wouter";
import { failureText } from "@/dashboard/api/failures";
import { useDialog } from "@/dashboard/shell/dialogs";
import { useOrg } from "@/dashboard/shell/session";
import { IconButton } from "@/dashboard/ui/button";
import { Empty, Failure, Skeleton } from "@/dashboard/ui/data";
import { Confirm, Dialog } from "@/dashboard/ui/dialog";
import { dayText } from "@/dashboard/ui/format";
import { Text } from "@/dashboard/ui/layout";
import { Menu } from "@/dashboard/ui/menu";
import { Table } from "@/dashboard/ui/table";
import { toast } from "@/dashboard/ui/toasts";
import { analyticsWords as words } from "../words";
import { pathOf } from "./address";
import { type Report, useDeleteReport, useReports } from "./queries";
import { RenameReport } from "./save";

/** All reports. Each name opens the report. */
export function ReportList({ onClose }: { onClose(): void }) {
  const { reports: said } = words.analytics;
  const { data, error, refetch } = useReports();
  const [renaming, , endRenaming] = useDialog("rename");
  const [deleting, , endDeleting] = useDialog("delete");
  const of = (id: string | undefined) => data?.find(({ _id }) => _id === id);
  const [renamed, deleted] = [of(renaming), of(deleting)];
  if (renamed) return <RenameReport report={renamed} onClose={endRenaming} />;
  if (deleted) return <DeleteReport report={deleted} onClose={endDeleting} />;
  return (
    <Dialog title={said.title} onClose={onClose} isWide>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {data?.length === 0 ? <Empty icon={Bookmark} title={said.empty.title} text={said.empty.text} /> : null}
      {data && data.length > 0 ? <Rows reports={data} /> : null}
      {data || error ? null : <Skeleton rows={3} />}
    </Dialog>
  );
}

function Rows({ reports }: { reports: readonly Report[] }) {
  const { reports: said } = words.analytics;
  return (
    <Table
      label={said.title}
      rows={reports}
      keyOf={({ _id }) => _id}
      columns={[
        {
          title: said.name,
          cell: (report) => (
            <>
              <Anchor href={pathOf(report)} replace dir="auto">
                {report.name}
              </Anchor>
              {report.description ? (
                <Text soft small foreign>
                  {report.description}
                </Text>
              ) : null}
            </>
          ),
        },
        { title: said.changed, cell: ({ updatedAt }) => dayText(updatedAt) },
        {
          title: said.actions,
          isTitleHidden: true,
          isNumber: true,
          cell: (report) => <Acts report={report} />,
        },
      ]}
    />
  );
}

function Acts({ report: { _id, name } }: { report: Report }) {
  const { reports: said, export: toCsv } = words.analytics;
  const { _id: orgId, may } = useOrg();
  const [, rename] = useDialog("rename", { isWithin: true });
  const [, remove] = useDialog("delete", { isWithin: true });
  const csv = `/app/api/v1/organizations/${orgId}/analytics/reports/${_id}/export.csv`;
  return (
    <Menu
      label={said.actionsOf(name)}
      trigger={<IconButton small icon={Ellipsis} label={said.actionsOf(name)} />}
      groups={[
        [{ label: toCsv, icon: DownloadIcon, href: csv, isDownload: true }],
        may("member")
          ? [
              { label: said.rename, icon: Pencil, onSelect: () => rename(_id) },
              { label: words.ui.delete, icon: Trash2, danger: true, onSelect: () => remove(_id) },
            ]
          : [],
      ]}
    />
  );
}

function DeleteReport({ report: { _id, name }, onClose }: { report: Report; onClose(): void }) {
  const { reports: said } = words.analytics;
  const remove = useDeleteReport(_id);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => toast({ text: said.deleted(name) }),
      onError: (error) => toast({ text: failureText(error), isFailure: true }),
      close: onClose,
    });
  return (
    <Confirm
      title={said.deleting.title}
      text={said.deleting.text(name)}
      act={words.ui.delete}
      isBusy={remove.isPending}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
