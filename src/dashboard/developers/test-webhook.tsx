import { Send } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/button";
import { optionsOf, Select } from "../ui/choice";
import { Failure, Notice } from "../ui/data";
import { Dialog } from "../ui/dialog";
import { Stack } from "../ui/layout";
import { Answer, Sent } from "./answer";
import { useTestWebhook, type Webhook, type WebhookEvent } from "./webhook-queries";
import { developersWords as words } from "./words";

export function TestWebhook({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const { webhooks: said } = words.developers;
  const [event, setEvent] = useState<WebhookEvent>("custom.event");
  const test = useTestWebhook(webhook._id);
  return (
    <Dialog title={said.testing} onClose={onClose}>
      <Stack>
        <p dir="auto">{webhook.url}</p>
        <Select
          label={said.event}
          value={event}
          onChange={setEvent}
          options={optionsOf<WebhookEvent>(said.eventNames)}
        />
        <div>
          <Button kind="primary" icon={Send} busy={test.isPending} onClick={() => test.mutate(event)}>
            {said.send}
          </Button>
        </div>
        {test.error ? <Failure error={test.error} /> : null}
        {test.data ? (
          <>
            <Notice tone={test.data.delivered ? "good" : "warn"}>
              {test.data.delivered ? said.arrived : said.refused}
            </Notice>
            <Sent body={test.data.requestBody} />
            <Answer of={test.data} />
          </>
        ) : null}
      </Stack>
    </Dialog>
  );
}
