import { Chip } from "../ui/data";
import { countText, durationText } from "../ui/format";
import { Stack, Text } from "../ui/layout";
import type { Webhook } from "./webhook-queries";
import { developersWords as words } from "./words";

/** Whether the webhook is on, why it was turned off, and how many messages are waiting for it. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { isActive, disabledReason, pending, oldestPendingSeconds, dropped } = webhook;
  const { webhooks: said } = words.developers;
  return (
    <Stack gap={1}>
      <div>
        {isActive ? (
          <Chip tone="good">{said.on}</Chip>
        ) : (
          <Chip tone={disabledReason ? "bad" : undefined}>{disabledReason ? said.turnedOff : said.off}</Chip>
        )}
      </div>
      {disabledReason ? <Text small>{disabledReason}</Text> : null}
      {pending > 0 ? (
        <Text soft small>
          {said.pending(countText(pending), durationText(oldestPendingSeconds ?? 0))}
        </Text>
      ) : null}
      {dropped > 0 ? <Text small>{said.dropped(countText(dropped))}</Text> : null}
    </Stack>
  );
}
