/** The endpoints that receive events. */
import { Plus, Webhook as WebhookIcon } from "lucide-react";
import { Link } from "wouter";
import { useDialog } from "../shell/dialogs";
import { useListSearch, WHOLE } from "../shell/list-search";
import { Button } from "../ui/button";
import { Empty, Failure, Skeleton } from "../ui/data";
import { Card, Row, Stack, Text } from "../ui/layout";
import { Table } from "../ui/table";
import { CreateWebhook } from "./create-webhook";
import { WebhookDialogs, WebhookMenu } from "./webhook-acts";
import { useWebhooks } from "./webhook-queries";
import { WebhookState } from "./webhook-state";
import { developersWords as words } from "./words";

export default function Webhooks() {
  const { webhooks: said } = words.developers;
  const { data: webhooks, error, refetch } = useWebhooks();
  const [creating, create, close] = useDialog("create");
  const [found, search] = useListSearch(WHOLE, webhooks ?? [], ({ url, description }) => [url, description]);
  if (error && !webhooks) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!webhooks) return <Skeleton />;
  const button = (
    <Button kind="primary" icon={Plus} onClick={() => create()}>
      {said.create}
    </Button>
  );
  return (
    <Stack>
      {webhooks.length === 0 ? (
        <Card>
          <Empty icon={WebhookIcon} title={said.empty.title} text={said.empty.text} action={button} />
        </Card>
      ) : (
        <>
          <Row>{button}</Row>
          {search}
          <Card padded={false}>
            <Table
              label={words.developers.tabs.webhooks}
              rows={found}
              keyOf={({ _id }) => _id}
              columns={[
                {
                  title: said.endpoint,
                  cell: ({ _id, url, description, events }) => (
                    <>
                      <Text strong foreign>
                        <Link href={`/developers/webhooks/${_id}`}>{url}</Link>
                      </Text>
                      <Text soft small foreign>
                        {description ?? events.join(", ")}
                      </Text>
                    </>
                  ),
                },
                { title: said.state, cell: (webhook) => <WebhookState webhook={webhook} /> },
                {
                  title: said.actions,
                  isTitleHidden: true,
                  isNumber: true,
                  cell: (webhook) => <WebhookMenu webhook={webhook} />,
                },
              ]}
            />
          </Card>
        </>
      )}
      {creating === undefined ? null : <CreateWebhook onClose={close} />}
      <WebhookDialogs webhooks={webhooks} />
    </Stack>
  );
}
