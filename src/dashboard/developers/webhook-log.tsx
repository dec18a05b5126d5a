/** The deliveries of one webhook, and their results. */
import { ArrowLeft, Inbox } from "lucide-react";
import { useSearchParams } from "wouter";
import { useDialog } from "../shell/dialogs";
import { Button, LinkButton } from "../ui/button";
import { Select } from "../ui/choice";
import { Empty, Failure, ShowMore, Skeleton } from "../ui/data";
import { Dialog } from "../ui/dialog";
import { momentText } from "../ui/format";
import { Card, Row, Stack, Text } from "../ui/layout";
import { Table } from "../ui/table";
import { DeliveryDialog, DeliveryState } from "./delivery";
import { WebhookDialogs, WebhookMenu } from "./webhook-acts";
import {
  type Delivery,
  type DeliveryStatus,
  useDeliveries,
  useDelivery,
  useWebhooks,
  type Webhook,
} from "./webhook-queries";
import { WebhookState } from "./webhook-state";
import { developersWords as words } from "./words";

export default function WebhookLog({ webhookId }: { webhookId: string }) {
  const { webhooks: said } = words.developers;
  const { data: webhooks, error, refetch } = useWebhooks();
  if (error && !webhooks) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!webhooks) return <Skeleton />;
  const webhook = webhooks.find(({ _id }) => _id === webhookId);
  return (
    <Stack>
      <Row>
        <LinkButton to="/developers/webhooks" kind="quiet" small icon={ArrowLeft}>
          {words.developers.tabs.webhooks}
        </LinkButton>
      </Row>
      {webhook ? <Log webhook={webhook} /> : <Text>{said.missing}</Text>}
      <WebhookDialogs webhooks={webhooks} />
    </Stack>
  );
}

const isStatus = (text: string | null): text is DeliveryStatus =>
  text !== null && Object.hasOwn(words.developers.webhooks.statuses, text);

function Log({ webhook }: { webhook: Webhook }) {
  const { webhooks: said } = words.developers;
  const [params, setParams] = useSearchParams();
  const given = params.get("status");
  const status = isStatus(given) ? given : undefined;
  const query = useDeliveries(webhook._id, status);
  const [shown, show, close] = useDialog("delivery");
  const deliveries = query.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const delivery = deliveries.find(({ _id }) => _id === shown);
  return (
    <>
      <Card title={<span dir="auto">{webhook.url}</span>} actions={<WebhookMenu webhook={webhook} />}>
        <WebhookState webhook={webhook} />
      </Card>
      <Row>
        <Select
          {...{ label: said.status, isLabelHidden: true, value: status ?? "" }}
          onChange={(value) => setParams(value ? { status: value } : {})}
          options={[["", said.anyStatus], ...Object.entries(said.statuses)]}
        />
      </Row>
      {query.error && !query.data ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : null}
      <Card padded={false}>{query.data ? <Deliveries deliveries={deliveries} onShow={show} /> : <Skeleton />}</Card>
      <ShowMore of={query} />
      {delivery ? <DeliveryDialog delivery={delivery} onShow={show} onClose={close} /> : null}
      {shown && query.data && !delivery ? (
        <OtherDelivery webhookId={webhook._id} deliveryId={shown} onShow={show} onClose={close} />
      ) : null}
    </>
  );
}

interface OtherProps {
  webhookId: string;
  deliveryId: string;
  onShow(id: string): void;
  onClose(): void;
}

/** A delivery that is not in the loaded part of the list. */
function OtherDelivery({ webhookId, deliveryId, onShow, onClose }: OtherProps) {
  const { data, error, refetch } = useDelivery(webhookId, deliveryId);
  if (data) return <DeliveryDialog delivery={data} onShow={onShow} onClose={onClose} />;
  return (
    <Dialog title={words.developers.webhooks.log} onClose={onClose} isWide>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton rows={3} />}
    </Dialog>
  );
}

function Deliveries({ deliveries, onShow }: { deliveries: readonly Delivery[]; onShow(id: string): void }) {
  const { webhooks: said } = words.developers;
  if (deliveries.length === 0) return <Empty icon={Inbox} title={said.none.title} text={said.none.text} />;
  return (
    <Table
      label={said.log}
      rows={deliveries}
      keyOf={({ _id }) => _id}
      columns={[
        { title: said.event, cell: ({ event }) => said.deliveryEvents[event] },
        { title: said.state, cell: (delivery) => <DeliveryState delivery={delivery} /> },
        { title: said.at, isTime: true, cell: ({ createdAt }) => momentText(createdAt) },
        {
          title: said.actions,
          isTitleHidden: true,
          isNumber: true,
          cell: ({ _id }) => (
            <Button small onClick={() => onShow(_id)}>
              {said.look}
            </Button>
          ),
        },
      ]}
    />
  );
}
