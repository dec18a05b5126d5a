/** Actions on a webhook, both in the list and in its log. */
import { Ellipsis, KeyRound, Pencil, Power, ScrollText, Send, Trash2 } from "lucide-react";
import { useLocation } from "wouter";
import { failureText } from "../api/failures";
import { useDialog } from "../shell/dialogs";
import { showSecret } from "../shell/secret";
import { IconButton } from "../ui/button";
import { Confirm } from "../ui/dialog";
import { Menu } from "../ui/menu";
import { toast } from "../ui/toasts";
import { EditWebhook } from "./edit-webhook";
import { TestWebhook } from "./test-webhook";
import { useDeleteWebhook, useRotateSecret, useUpdateWebhook, type Webhook } from "./webhook-queries";
import { developersWords as words } from "./words";

const tell = (error: unknown) => toast({ text: failureText(error), isFailure: true });

/** The secret that a webhook's requests are signed with. */
export function showSigningSecret({ secret }: { secret: string }): void {
  const { title, text, label } = words.developers.webhooks.secret;
  showSecret({ title, text, label, secret });
}

export function WebhookMenu({ webhook }: { webhook: Webhook }) {
  const { _id: id, url, isActive } = webhook;
  const { webhooks: said } = words.developers;
  const [, navigate] = useLocation();
  const [, edit] = useDialog("edit");
  const [, test] = useDialog("test");
  const [, rotate] = useDialog("rotate");
  const [, remove] = useDialog("delete");
  const update = useUpdateWebhook(id);
  const put = (isOn: boolean, onSuccess?: () => void) =>
    update.mutate({ isActive: isOn }, { onError: tell, ...(onSuccess && { onSuccess }) });
  const turn = (isOn: boolean) =>
    put(isOn, () => toast({ text: isOn ? said.isOn : said.isOff, undo: () => put(!isOn) }));
  return (
    <Menu
      label={said.actionsOf(url)}
      trigger={<IconButton icon={Ellipsis} label={said.actionsOf(url)} />}
      groups={[
        [
          { label: said.log, icon: ScrollText, onSelect: () => navigate(`/developers/webhooks/${id}`) },
          { label: words.ui.edit, icon: Pencil, onSelect: () => edit(id) },
          { label: said.test, icon: Send, onSelect: () => test(id) },
          { label: said.rotate, icon: KeyRound, onSelect: () => rotate(id) },
          { label: isActive ? said.turnOff : said.turnOn, icon: Power, onSelect: () => turn(!isActive) },
        ],
        [{ label: words.ui.delete, icon: Trash2, danger: true, onSelect: () => remove(id) }],
      ]}
    />
  );
}

/** The dialogs that the URL names. */
export function WebhookDialogs({ webhooks }: { webhooks: readonly Webhook[] }) {
  const [editing, , endEdit] = useDialog("edit");
  const [testing, , endTest] = useDialog("test");
  const [rotating, , endRotation] = useDialog("rotate");
  const [deleting, , endDeletion] = useDialog("delete");
  const of = (id: string | undefined) => webhooks.find(({ _id }) => _id === id);
  const [edited, tested, rotated, deleted] = [of(editing), of(testing), of(rotating), of(deleting)];
  return (
    <>
      {edited ? <EditWebhook webhook={edited} onClose={endEdit} /> : null}
      {tested ? <TestWebhook webhook={tested} onClose={endTest} /> : null}
      {rotated ? <Rotate webhook={rotated} onClose={endRotation} /> : null}
      {deleted ? <Delete webhook={deleted} onClose={endDeletion} /> : null}
    </>
  );
}

interface ActProps {
  webhook: Webhook;
  onClose(): void;
}

function Rotate({ webhook, onClose }: ActProps) {
  const { webhooks: said } = words.developers;
  const rotate = useRotateSecret(webhook._id);
  return (
    <Confirm
      title={said.rotating.title}
      text={said.rotating.text}
      act={said.rotate}
      isBusy={rotate.isPending}
      onConfirm={() => rotate.mutate(undefined, { onSuccess: showSigningSecret, onError: tell, goOn: onClose })}
      onClose={onClose}
    />
  );
}

function Delete({ webhook, onClose }: ActProps) {
  const { webhooks: said } = words.developers;
  const [, navigate] = useLocation();
  const remove = useDeleteWebhook(webhook._id);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => toast({ text: said.deleted }),
      onError: tell,
      goOn: () => navigate("/developers/webhooks", { replace: true }),
      close: onClose,
    });
  return (
    <Confirm
      title={said.deleting.title}
      text={said.deleting.text(webhook.url)}
      act={words.ui.delete}
      isBusy={remove.isPending}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
