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
    remove.mutateAsync(_id).then(
      () => {
        discardUnsaved();
        navigate("/pages", { replace: true });
        toast({ text: removed(title) });
      },
      (error: unknown) => {
        toast({ text: failureText(error), isFailure: true });
        onClose();
      },
    );
  return (
    <Confirm
      {...{ title: confirm.title, text: confirm.text(url), act, onClose }}
      onConfirm={() => void onConfirm()}
      isBusy={remove.isPending}
    />
  );
}
