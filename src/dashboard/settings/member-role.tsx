import { useQueryClient } from "@tanstack/react-query";
import { failureText } from "../api/failures";
import { SESSION_KEY, useOrg } from "../shell/session";
import { Select } from "../ui/choice";
import { toast } from "../ui/toasts";
import { type Member, type Role, useChangeRole } from "./member-queries";
import { settingsWords as words } from "./words";

/** Only owners can make others owners. */
export const rolesToGive = (isOwner: boolean): (readonly [Role, string])[] => {
  const { viewer, member, admin, owner } = words.settings.roles;
  const given = [["viewer", viewer] as const, ["member", member] as const, ["admin", admin] as const];
  return isOwner ? [...given, ["owner", owner] as const] : given;
};

export function MemberRole({ member, isLastOwner }: { member: Member; isLastOwner: boolean }) {
  const { may } = useOrg();
  const { roles, members: said } = words.settings;
  const client = useQueryClient();
  const change = useChangeRole();
  if (!may("admin")) return roles[member.role];
  const hint = isLastOwner ? said.lastOwner : member.role === "owner" && !may("owner") ? said.ownersOnly : undefined;
  const name = member.name ?? member.email;
  // Awaited, because callbacks of `mutate` are not called once the screen has been left.
  const put = (role: Role, done: () => void) =>
    void change
      .mutateAsync({ member, role })
      .then(done, (error: unknown) => toast({ text: failureText(error), isFailure: true }))
      // The user's own role decides what this page shows.
      .then(() => client.invalidateQueries({ queryKey: SESSION_KEY }));
  const undo = () => put(member.role, () => toast({ text: said.changed(name, roles[member.role]) }));
  return (
    <Select
      label={said.roleOf(name)}
      isLabelHidden
      hint={hint}
      value={member.role}
      disabled={hint !== undefined || change.isPending}
      onChange={(role) => put(role, () => toast({ text: said.changed(name, roles[role]), undo }))}
      options={rolesToGive(may("owner") || member.role === "owner")}
    />
  );
}
