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
  // The user's own role decides what this page shows.
  const refreshSession = () => void client.invalidateQueries({ queryKey: SESSION_KEY });
  const put = (role: Role, told: () => void) =>
    change.mutate(
      { member, role },
      {
        onSuccess() {
          told();
          refreshSession();
        },
        onError(error) {
          toast({ text: failureText(error), isFailure: true });
          refreshSession();
        },
      },
    );
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
