/** The endpoints that receive events. */
import { Webhook as WebhookIcon } from "lucide-react";
import { Link } from "wouter";
import { useDialog } from "../shell/dialogs";
import { useListSearch, WHOLE } from "../shell/list-search";
import { Failure, Skeleton } from "../ui/data";
import { Card, Stack, Text } from "../ui/layout";
import { Table } from "../ui/table";
import { CreateWebhook } from "./create-webhook";
import { TabList } from "./tab-list";
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
  return (
    <Stack>
      <TabList {...{ icon: WebhookIcon, said, search }} isEmpty={webhooks.length === 0} onCreate={() => create()}>
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
      </TabList>
      {creating === undefined ? null : <CreateWebhook onClose={close} />}
      <WebhookDialogs webhooks={webhooks} />
    </Stack>
  );
}
