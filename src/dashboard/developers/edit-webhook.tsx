import { useState } from "react";
import type { Schemas } from "../api/client";
import { useKeptInput } from "../drafts/kept-input";
import { isSame } from "../drafts/rebase";
import { toast } from "../ui/toasts";
import { WebhookForm, type WebhookValues } from "./webhook-form";
import { useUpdateWebhook, type Webhook } from "./webhook-queries";
import { developersWords as words } from "./words";

const valuesOf = ({ url, description = "", events, batch }: Webhook): WebhookValues => ({
  ...{ url, description, events, batch },
});

export function EditWebhook({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const { webhooks: said } = words.developers;
  const [saved] = useState(() => valuesOf(webhook));
  // Keeps what the input was based on, because someone else may change the webhook until the dialog is opened again.
  const input = useKeptInput(`webhook ${webhook._id}`, { given: saved, values: saved });
  const { given, values } = input.values;
  const set = (next: Partial<WebhookValues>) =>
    input.edit((before) => ({ ...before, values: { ...before.values, ...next } }));
  const update = useUpdateWebhook(webhook._id);
  return (
    <WebhookForm
      title={said.editing}
      act={words.ui.save}
      input={{ values, set }}
      isBusy={update.isPending}
      error={update.error}
      onSend={(values) =>
        update.mutate(changesOf(given, values), {
          onSuccess() {
            input.clear();
            toast({ text: said.saved });
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

/** Returns only what differs: someone else may have changed the rest while the form was open. */
function changesOf(given: WebhookValues, values: Schemas["WebhookUpdate"]): Schemas["WebhookUpdate"] {
  const before: Record<string, unknown> = { ...given, description: given.description || null };
  return Object.fromEntries(Object.entries(values).filter(([field, value]) => !isSame(value, before[field])));
}
