import { LogOut } from "lucide-react";
import { type FormEvent, useState } from "react";
import { RequiredSso } from "../access/required-sso";
import { useChange } from "../api/changes";
import { api, unwrap } from "../api/client";
import { faultsOf, otherFaults } from "../api/failures";
import { sendAgainSafely } from "../api/sent-again";
import { Button } from "../ui/button";
import { Notice } from "../ui/data";
import { Dialog } from "../ui/dialog";
import { TextField } from "../ui/field";
import { Card, Screen, Stack, Text } from "../ui/layout";
import { words } from "../words";
import type { Session } from "./session";
import { signOut } from "./sign-out";

function Form({ onClose }: { onClose?(): void }) {
  const [name, setName] = useState("");
  const create = useChange({
    mutationFn: () =>
      sendAgainSafely("organization", { name }, (header) =>
        unwrap(api.POST("/api/v1/organizations", { params: { header }, body: { name } })),
      ),
    onSuccess: ({ slug }) => location.assign(`/app/o/${slug}`),
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  const alert = otherFaults(create.error, ["name"]);
  return (
    <form onSubmit={send}>
      <Stack>
        {alert ? <Notice tone="bad">{alert}</Notice> : null}
        <TextField
          label={words.shell.organizationName}
          value={name}
          onChange={setName}
          fault={faultsOf(create.error).name}
          maxLength={120}
          required
        />
        <div className="dialog-foot">
          {onClose ? (
            <Button disabled={create.isPending} onClick={onClose}>
              {words.ui.cancel}
            </Button>
          ) : null}
          <Button type="submit" kind="primary" busy={create.isPending}>
            {words.shell.createOrganization}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

export const NewOrganizationDialog = ({ onClose }: { onClose(): void }) => (
  <Dialog title={words.shell.newOrganization} onClose={onClose}>
    <Form onClose={onClose} />
  </Dialog>
);

/** Shown to users whose session reaches no organization. */
export const NewOrganization = ({ session: { user, ssoOrganizations = [] } }: { session: Session }) => (
  <Screen
    title={words.shell.newOrganization}
    actions={
      <Button icon={LogOut} onClick={signOut}>
        {words.shell.signOut}
      </Button>
    }
  >
    <Text soft>{words.shell.signedInAs(user.email)}</Text>
    <RequiredSso organizations={ssoOrganizations} />
    <Card>
      <Form />
    </Card>
  </Screen>
);
