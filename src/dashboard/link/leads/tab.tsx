/** What visitors entered in the link's form: read, downloaded, and erased one by one. */
import { Download as DownloadIcon, Inbox, Trash2 } from "lucide-react";
import { useState } from "react";
import { api, type Schemas, unwrap } from "@/dashboard/api/client";
import { failureText } from "@/dashboard/api/failures";
import type { Link } from "@/dashboard/links/queries";
import { usePagedQuery, useResourceMutation } from "@/dashboard/shell/api-queries";
import { useOrg } from "@/dashboard/shell/session";
import { Download, IconButton } from "@/dashboard/ui/button";
import { Empty, Failure, ShowMore, Skeleton } from "@/dashboard/ui/data";
import { Confirm } from "@/dashboard/ui/dialog";
import { momentText } from "@/dashboard/ui/format";
import { Card, Row, Stack, Text } from "@/dashboard/ui/layout";
import { Table } from "@/dashboard/ui/table";
import { toast } from "@/dashboard/ui/toasts";
import { leadsWords as words } from "./words";

type Lead = Schemas["Lead"];

const PAGE = 100;

export default function LeadsTab({ link: { _id: linkId } }: { link: Link }) {
  const { _id: orgId } = useOrg();
  const query = useLeads(linkId);
  const [erased, setErased] = useState<Lead>();
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton />;
  const leads = query.data.pages.flatMap((page) => page.leads);
  return (
    <>
      {leads.length === 0 ? (
        <Card>
          <Empty icon={Inbox} {...words.leads.empty} />
        </Card>
      ) : (
        <Stack>
          <Row>
            <Download icon={DownloadIcon} href={`/app/api/v1/organizations/${orgId}/links/${linkId}/leads/export.csv`}>
              {words.leads.download}
            </Download>
          </Row>
          <Leads leads={leads} onErase={setErased} />
          <ShowMore of={query} />
        </Stack>
      )}
      {erased ? <Erase lead={erased} onClose={() => setErased(undefined)} /> : null}
    </>
  );
}

function useLeads(linkId: string) {
  const { _id: orgId } = useOrg();
  return usePagedQuery(["leads", orgId, linkId], (page, signal) => {
    const params = { path: { orgId, linkId }, query: { page, limit: PAGE } };
    return unwrap(api.GET("/api/v1/organizations/{orgId}/links/{linkId}/leads", { params, signal }));
  });
}

function Leads({ leads, onErase }: { leads: readonly Lead[]; onErase(lead: Lead): void }) {
  const { may } = useOrg();
  const said = words.leads;
  const actions = {
    ...{ title: said.actions, isTitleHidden: true, isNumber: true },
    cell: (lead: Lead) => (
      <IconButton
        {...{ small: true, icon: Trash2, label: said.deleteOf(momentText(lead.createdAt)) }}
        onClick={() => onErase(lead)}
      />
    ),
  };
  return (
    <Card padded={false}>
      <Table
        label={said.entered}
        rows={leads}
        keyOf={({ _id }) => _id}
        columns={[
          { title: said.at, isTime: true, cell: ({ createdAt }) => momentText(createdAt) },
          { title: said.entered, cell: ({ fields }) => <Entered fields={fields} /> },
          ...(may("member") ? [actions] : []),
        ]}
      />
    </Card>
  );
}

/** Each name above its value, so that addresses fit on a phone. */
const Entered = ({ fields }: Pick<Lead, "fields">) => (
  <Stack gap={1}>
    {Object.entries(fields).map(([name, value]) => (
      <div key={name}>
        <Text soft small foreign>
          {name}
        </Text>
        <Text foreign>{value}</Text>
      </div>
    ))}
  </Stack>
);

function Erase({ lead: { _id: leadId, linkId }, onClose }: { lead: Lead; onClose(): void }) {
  const { _id: orgId } = useOrg();
  const params = { path: { orgId, linkId, leadId } };
  const erase = useResourceMutation("leads", () =>
    unwrap(api.DELETE("/api/v1/organizations/{orgId}/links/{linkId}/leads/{leadId}", { params })),
  );
  const confirm = () =>
    erase.mutate(undefined, {
      onSuccess: () => toast({ text: words.leads.deleted }),
      onError: (error) => toast({ text: failureText(error), isFailure: true }),
      close: onClose,
    });
  return (
    <Confirm
      {...words.leads.confirm}
      {...{ act: words.ui.delete, isBusy: erase.isPending, onConfirm: confirm, onClose }}
    />
  );
}
