import { RotateCw } from "lucide-react";
import { failureText } from "../api/failures";
import { Button } from "../ui/button";
import { Chip, Failure, Pairs, Skeleton } from "../ui/data";
import { Dialog } from "../ui/dialog";
import { countText, momentText } from "../ui/format";
import { Code, Heading, Stack, Text } from "../ui/layout";
import { toast } from "../ui/toasts";
import { Answer, Sent } from "./answer";
import { type Delivery, useRedeliver, useSentBody } from "./webhook-queries";
import { developersWords as words } from "./words";

const TONES = { pending: "warn", delivered: "good", failed: "bad", dropped: "bad" } as const;

export function DeliveryState({ delivery: { status, responseStatus, nextAttemptAt } }: { delivery: Delivery }) {
  const { webhooks: said } = words.developers;
  return (
    <Stack gap={1}>
      <div>
        <Chip tone={TONES[status]}>{said.statuses[status]}</Chip>
      </div>
      {responseStatus === undefined || status === "delivered" ? null : (
        <Text soft small>
          {said.answered(String(responseStatus))}
        </Text>
      )}
      {nextAttemptAt ? (
        <Text soft small>
          {said.next(momentText(nextAttemptAt))}
        </Text>
      ) : null}
    </Stack>
  );
}

interface DialogProps {
  delivery: Delivery;
  /** Shows another delivery. */
  onShow(id: string): void;
  onClose(): void;
}

export function DeliveryDialog({ delivery, onShow, onClose }: DialogProps) {
  const { webhooks: said } = words.developers;
  const redeliver = useRedeliver(delivery.webhookId);
  const again = () =>
    redeliver.mutate(delivery._id, {
      onSuccess: () => toast({ text: said.sentAgain }),
      goOn: ({ _id }) => onShow(_id),
      onError: (error) => toast({ text: failureText(error), isFailure: true }),
    });
  return (
    <Dialog
      title={said.deliveryEvents[delivery.event]}
      onClose={onClose}
      isWide
      foot={
        <Button kind="primary" icon={RotateCw} busy={redeliver.isPending} onClick={again}>
          {said.again}
        </Button>
      }
    >
      <DeliveryState delivery={delivery} />
      <Heading>{said.request}</Heading>
      <Pairs
        of={[
          [said.messageId, <Code key="id">{delivery.messageId}</Code>],
          [said.messages, countText(delivery.messages)],
          [said.at, momentText(delivery.createdAt)],
          [said.attempts, countText(delivery.attempts)],
          ...(delivery.lastAttemptAt ? [[said.lastAttempt, momentText(delivery.lastAttemptAt)] as const] : []),
        ]}
      />
      {delivery.attempts > 0 ? <SentBody delivery={delivery} /> : <Text soft>{said.notSent}</Text>}
      {delivery.attempts > 0 ? <Answer of={delivery} /> : null}
    </Dialog>
  );
}

function SentBody({ delivery }: { delivery: Delivery }) {
  const { webhooks: said } = words.developers;
  const { data, error, refetch } = useSentBody(delivery);
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={2} />;
  const { requestBody } = data;
  if (requestBody === undefined) return <Text soft>{said.erased}</Text>;
  return <Sent body={requestBody} />;
}
