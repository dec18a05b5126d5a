import { UserPlus } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { Schemas } from "../api/client";
import { faultsOf, otherFaults } from "../api/failures";
import { showSecret } from "../shell/secret";
import { useOrg } from "../shell/session";
import { Button } from "../ui/button";
import { Select } from "../ui/choice";
import { Notice } from "../ui/data";
import { TextField } from "../ui/field";
import { dayText } from "../ui/format";
import { Card, Stack } from "../ui/layout";
import { type Role, useInvite } from "./member-queries";
import { rolesToGive } from "./member-role";
import { settingsWords as words } from "./words";

export function Invite() {
  const { members: said } = words.settings;
  const { may } = useOrg();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const invite = useInvite();
  const send = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate(
      { email: email.trim(), role },
      {
        onSuccess(invited) {
          setEmail((typed) => (typed === email ? "" : typed));
          showInvitation(invited);
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
            {...{ label: said.email, value: email, onChange: setEmail, fault: faults.email }}
            type="email"
            autoComplete="off"
            required
          />
          <Select
            {...{ label: said.role, hint: words.settings.rolesMean[role], value: role, onChange: setRole }}
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

function showInvitation({ email, inviteUrl, inviteExpiresAt }: Schemas["Invitation"]): void {
  const { members: said } = words.settings;
  showSecret({
    ...{ title: said.invitationOf(email), text: said.sendUrl, label: said.invitationUrl, secret: inviteUrl },
    children: inviteExpiresAt ? <p>{said.until(dayText(inviteExpiresAt))}</p> : null,
  });
}
