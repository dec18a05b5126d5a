import { failureText } from "../api/failures";
import { useOrg } from "../shell/session";
import { Confirm } from "../ui/dialog";
import { toast } from "../ui/toasts";
import { type Member, useIsMine, useRemoveMember } from "./member-queries";
import { settingsWords as words } from "./words";

/** Ends a membership or withdraws an invitation; the texts depend on which it is and on whose it is. */
export function RemoveMember({ member, onClose }: { member: Member; onClose(): void }) {
  const { members: said } = words.settings;
  const org = useOrg();
  const isMe = useIsMine(member);
  const remove = useRemoveMember(member);
  const name = member.name ?? member.email;
  const asked = isMe
    ? { title: said.leaving.title(org.name), text: said.leaving.text, act: said.leave }
    : member.status === "invited"
      ? { title: said.withdrawing.title(name), text: said.withdrawing.text, act: said.withdraw }
      : { title: said.removing.title(name), text: said.removing.text, act: words.ui.remove };
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => toast({ text: member.status === "invited" ? said.withdrawn(name) : said.removed(name) }),
      onError: (error) => toast({ text: failureText(error), isFailure: true }),
      close: onClose,
    });
  return <Confirm {...asked} isBusy={remove.isPending} onConfirm={confirm} onClose={onClose} />;
}
