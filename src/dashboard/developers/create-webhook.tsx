import { showSigningSecret } from "./webhook-acts";
import { WebhookForm } from "./webhook-form";
import { useCreateWebhook } from "./webhook-queries";
import { developersWords as words } from "./words";

export function CreateWebhook({ onClose }: { onClose(): void }) {
  const { webhooks: said } = words.developers;
  const create = useCreateWebhook();
  return (
    <WebhookForm
      title={said.create}
      act={said.create}
      values={{ url: "", description: "", events: ["click"], batch: false }}
      isBusy={create.isPending}
      error={create.error}
      onSend={(values) => create.mutate(values, { onSuccess: showSigningSecret, goOn: onClose })}
      onClose={onClose}
    />
  );
}
