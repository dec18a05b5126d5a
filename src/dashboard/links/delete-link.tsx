import { discardUnsaved } from "../drafts/unsaved";
import { Confirm } from "../ui/dialog";
import { decodedUrl } from "../ui/readable-url";
import { toast } from "../ui/toasts";
import { words } from "../words";
import { useMayHaveLeads } from "./leads-left";
import { type Link, useDeleteLink } from "./queries";

export function DeleteLink({ link, onClose, onDone }: { link: Link; onClose(): void; onDone?(): void }) {
  const { confirmDelete, deleted } = words.links;
  const remove = useDeleteLink();
  const mayHaveLeads = useMayHaveLeads(link);
  const confirm = () =>
    remove.mutate(link._id, {
      onSuccess: () => toast({ text: deleted(link.slug) }),
      goOn() {
        discardUnsaved();
        onDone?.();
      },
      close: onClose,
    });
  const text = [confirmDelete.text(decodedUrl(link.shortUrl)), ...(mayHaveLeads ? [confirmDelete.leads] : [])].join(
    " ",
  );
  return (
    <Confirm
      {...{ title: confirmDelete.title, text, act: words.ui.delete }}
      isBusy={remove.isPending}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
