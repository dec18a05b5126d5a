import { useKeptInput } from "../drafts/kept-input";
import { useOrg } from "../shell/session";
import { showSigningSecret } from "./webhook-acts";
import { WebhookForm, type WebhookValues } from "./webhook-form";
import { useCreateWebhook } from "./webhook-queries";
import { developersWords as words } from "./words";

const BLANK: WebhookValues = { url: "", description: "", events: ["click"], batch: false };

export function CreateWebhook({ onClose }: { onClose(): void }) {
  const { webhooks: said } = words.developers;
  const input = useKeptInput(`new webhook ${useOrg()._id}`, BLANK);
  const create = useCreateWebhook();
  return (
    <WebhookForm
      title={said.create}
      act={said.create}
      input={input}
      isBusy={create.isPending}
      error={create.error}
      onSend={(values) =>
        create.mutate(values, {
          onSuccess(created) {
            input.clear();
            showSigningSecret(created);
          },
          goOn: onClose,
        })
      }
      onClose={() => {
        input.clear();
        onClose();
      }}
    />
  );
}
