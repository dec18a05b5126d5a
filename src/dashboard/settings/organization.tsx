/** What the organization is called, how it looks to visitors, and what its figures count. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { api, ask, type Schemas } from "../api/client";
import { faultsOf, otherFaults } from "../api/failures";
import { useChange } from "../shell/asking";
import { SESSION_KEY, useOrg } from "../shell/session";
import { previewAccent } from "../shell/theme";
import { Button } from "../ui/button";
import { FieldSet } from "../ui/choice";
import { Failure, Notice, Skeleton } from "../ui/data";
import { TextField } from "../ui/field";
import { Card, Columns, Row, Stack } from "../ui/layout";
import { toast } from "../ui/toasts";
import { words } from "../words";
import { BrandingFields } from "./branding-fields";
import { CountingFields } from "./counting-fields";
import {
  type FullOrganization,
  type OrganizationDraft,
  organizationChanges,
  organizationDraft,
  SHOWN,
} from "./organization-draft";
import { UsageCard } from "./usage";

export default function Organization() {
  const { _id: orgId } = useOrg();
  const { data, error, refetch } = useQuery({
    queryKey: ["organization", orgId],
    queryFn: ({ signal }) => ask(api.GET("/api/v1/organizations/{orgId}", { params: { path: { orgId } }, signal })),
  });
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  return (
    <Columns>
      <Form key={data._id} organization={data} />
      <UsageCard />
    </Columns>
  );
}

function Form({ organization }: { organization: FullOrganization }) {
  const { may } = useOrg();
  const [saved, setSaved] = useState(() => organizationDraft(organization));
  const [draft, setDraft] = useState(saved);
  const save = useSave();
  const changes = organizationChanges(saved, draft);
  const isChanged = Object.keys(changes).length > 0;
  useEffect(() => {
    previewAccent(draft.accentColor);
    return () => previewAccent(undefined);
  }, [draft.accentColor]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(changes, {
      onSuccess(now) {
        setSaved(organizationDraft(now));
        setDraft(organizationDraft(now));
        toast({ text: words.settings.saved });
      },
    });
  };
  const alert = otherFaults(save.error, SHOWN);
  const parts = {
    ...{ draft, faults: faultsOf(save.error) },
    set: (next: Partial<OrganizationDraft>) => setDraft({ ...draft, ...next }),
  };
  return (
    <form onSubmit={send}>
      <FieldSet disabled={!may("admin")}>
        <Stack>
          {alert ? <Notice tone="bad">{alert}</Notice> : null}
          <Card>
            <TextField
              {...{ label: words.settings.organization.name, value: draft.name, fault: parts.faults.name }}
              onChange={(name) => parts.set({ name })}
              maxLength={120}
              required
            />
          </Card>
          <BrandingFields {...parts} />
          <CountingFields {...parts} />
          {may("admin") ? (
            <Row>
              <Button type="submit" kind="primary" disabled={!isChanged} busy={save.isPending}>
                {words.ui.save}
              </Button>
              <Button disabled={!isChanged} onClick={() => setDraft(saved)}>
                {words.settings.discard}
              </Button>
            </Row>
          ) : null}
        </Stack>
      </FieldSet>
    </form>
  );
}

function useSave() {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return useChange("organization", async (body: Schemas["OrganizationUpdate"]) => {
    const now = await ask(api.PATCH("/api/v1/organizations/{orgId}", { params: { path: { orgId } }, body }));
    // Name and accent of every screen.
    await client.invalidateQueries({ queryKey: SESSION_KEY });
    return now;
  });
}
