import { useLocation } from "wouter";
import { failureText } from "../api/failures";
import { discardUnsaved } from "../drafts/unsaved";
import { Confirm } from "../ui/dialog";
import { toast } from "../ui/toasts";
import { type BioPage, useDeletePage } from "./queries";
import { pagesWords as words } from "./words";

export function DeletePage({ page: { _id, title, url }, onClose }: { page: BioPage; onClose(): void }) {
  const { confirm, remove: act, removed } = words.pages;
  const [, navigate] = useLocation();
  const remove = useDeletePage();
  const onConfirm = () =>
    remove.mutate(_id, {
      onSuccess: () => toast({ text: removed(title) }),
      onError: (error) => toast({ text: failureText(error), isFailure: true }),
      goOn() {
        discardUnsaved();
        navigate("/pages", { replace: true });
      },
      close: onClose,
    });
  return (
    <Confirm
      {...{ title: confirm.title, text: confirm.text(url), act, onClose }}
      onConfirm={onConfirm}
      isBusy={remove.isPending}
    />
  );
}
