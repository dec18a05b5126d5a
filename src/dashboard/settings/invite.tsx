import { UserPlus } from "lucide-react";
import type { FormEvent } from "react";
import type { Schemas } from "../api/client";
import { failureText, faultsOf, otherFaults } from "../api/failures";
import { useKeptInput } from "../drafts/kept-input";
import { showSecret } from "../shell/secret";
import { useOrg, useSession } from "../shell/session";
import { Button } from "../ui/button";
import { Select } from "../ui/choice";
import { Notice } from "../ui/data";
import { TextField } from "../ui/field";
import { dayText } from "../ui/format";
import { Card, Stack } from "../ui/layout";
import { toast } from "../ui/toasts";
import { type Member, type Role, useInvite, useInviteAgain } from "./member-queries";
import { rolesToGive } from "./member-role";
import { settingsWords as words } from "./words";

const BLANK: { email: string; role: Role } = { email: "", role: "member" };

export function Invite() {
  const { members: said } = words.settings;
  const { _id: orgId, may } = useOrg();
  const { values, set, edit } = useKeptInput(`invitation ${orgId}`, BLANK);
  const { email, role } = values;
  const invite = useInvite();
  const sendsMail = useSession().data?.sendsMail ?? false;
  const send = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate(
      { email: email.trim(), role },
      {
        onSuccess(invited) {
          edit((typed) => (typed.email === email ? { ...typed, email: "" } : typed));
          showInvitation(invited, sendsMail ? said.mailed : said.sendUrl);
        },
      },
    );
  };
  const faults = faultsOf(invite.error);
  const alert = otherFaults(invite.error, ["email", "role"]);
  return (
    <Card title={said.inviting}>
      <form onSubmit={send}>
        <Stack gap={3}>
          {alert ? <Notice tone="bad">{alert}</Notice> : null}
          <TextField
            {...{ label: said.email, value: email, fault: faults.email }}
            onChange={(next) => set({ email: next })}
            type="email"
            autoComplete="off"
            required
          />
          <Select
            {...{ label: said.role, hint: words.settings.rolesMean[role], value: role }}
            onChange={(next) => set({ role: next })}
            fault={faults.role}
            options={rolesToGive(may("owner"))}
          />
          <div>
            <Button type="submit" kind="primary" icon={UserPlus} busy={invite.isPending}>
              {said.invite}
            </Button>
          </div>
        </Stack>
      </form>
    </Card>
  );
}

/** Replaces an open invitation, whose mail may have got lost, or one that has expired. */
export function InviteAgain({ member: { email, role } }: { member: Member }) {
  const { members: said } = words.settings;
  const { mutate, isPending } = useInviteAgain();
  const sendsMail = useSession().data?.sendsMail ?? false;
  const send = () =>
    mutate(
      { email, role },
      {
        onSuccess: (invited) => showInvitation(invited, sendsMail ? said.mailed : said.sendUrl),
        onError: (error) => toast({ text: failureText(error), isFailure: true }),
      },
    );
  return (
    <Button small busy={isPending} onClick={send}>
      {said.inviteAgain}
    </Button>
  );
}

function showInvitation({ email, inviteUrl, inviteExpiresAt }: Schemas["Invitation"], text: string): void {
  const { members: said } = words.settings;
  showSecret({
    ...{ title: said.invitationOf(email), text, label: said.invitationUrl, secret: inviteUrl },
    children: inviteExpiresAt ? <p>{said.until(dayText(inviteExpiresAt))}</p> : null,
  });
}
