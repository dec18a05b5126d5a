import { toast } from "../ui/toasts";
import { WebhookForm } from "./webhook-form";
import { useUpdateWebhook, type Webhook } from "./webhook-queries";
import { developersWords as words } from "./words";

export function EditWebhook({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const { webhooks: said } = words.developers;
  const { url, description = "", events, batch } = webhook;
  const update = useUpdateWebhook(webhook._id);
  const onSuccess = () => {
    toast({ text: said.saved });
    onClose();
  };
  return (
    <WebhookForm
      title={said.editing}
      act={words.ui.save}
      values={{ url, description, events, batch }}
      isBusy={update.isPending}
      error={update.error}
      onSend={(values) => update.mutate(values, { onSuccess })}
      onClose={onClose}
    />
  );
}
