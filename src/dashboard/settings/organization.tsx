/** The organization's name, its appearance to visitors, and what its figures count. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect } from "react";
import { api, ifMatch, type Schemas, type Tagged, unwrapWithEtag } from "../api/client";
import { faultsOf, otherFaults } from "../api/failures";
import { rejectOnConflict } from "../drafts/edit-conflict";
import { ChangedMeanwhileNotice } from "../drafts/notice";
import { useDraft } from "../drafts/use-draft";
import { SESSION_KEY, useOrg } from "../shell/session";
import { previewAccent } from "../shell/theme";
import { Button } from "../ui/button";
import { FieldSet } from "../ui/choice";
import { Failure, Notice, Skeleton } from "../ui/data";
import { TextField } from "../ui/field";
import { useScrollToFault } from "../ui/focus";
import { Card, Columns, Row, Stack } from "../ui/layout";
import { toast } from "../ui/toasts";
import { BrandingFields } from "./branding-fields";
import { CountingFields } from "./counting-fields";
import { type FullOrganization, organizationChanges, organizationDraft, SHOWN } from "./organization-draft";
import { UsageCard } from "./usage";
import { settingsWords as words } from "./words";

const read = (orgId: string, signal?: AbortSignal) =>
  unwrapWithEtag(api.GET("/api/v1/organizations/{orgId}", { params: { path: { orgId } }, ...(signal && { signal }) }));

export default function Organization() {
  const { _id: orgId } = useOrg();
  const { data, error, refetch } = useQuery({
    queryKey: ["organization", orgId],
    queryFn: ({ signal }) => read(orgId, signal),
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

function Form({ organization }: { organization: Tagged<FullOrganization> }) {
  const { may } = useOrg();
  const state = useOrganizationDraft(organization);
  const { draft, set, put, discard, isChanged, isPending, isSaving, error } = state;
  useScrollToFault(error);
  useEffect(() => {
    previewAccent(draft.accentColor);
    return () => previewAccent(undefined);
  }, [draft.accentColor]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    put();
  };
  const alert = otherFaults(error, SHOWN);
  const parts = { draft, set, faults: faultsOf(error) };
  return (
    <form onSubmit={send}>
      <FieldSet disabled={!may("admin")}>
        <Stack>
          {alert ? <Notice tone="bad">{alert}</Notice> : null}
          <ChangedMeanwhileNotice state={state} text={() => words.conflict.plain} />
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
              <Button type="submit" kind="primary" disabled={!isChanged} busy={isSaving}>
                {words.ui.save}
              </Button>
              <Button disabled={!isChanged || isPending} onClick={discard}>
                {words.ui.discard}
              </Button>
            </Row>
          ) : null}
        </Stack>
      </FieldSet>
    </form>
  );
}

function useOrganizationDraft(organization: Tagged<FullOrganization>) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return useDraft(organization, {
    ...{ name: `organization ${orgId}`, read: organizationDraft, changesOf: organizationChanges },
    save(body: Schemas["OrganizationUpdate"], over: Tagged<FullOrganization>) {
      const params = { path: { orgId }, header: ifMatch(over) };
      return rejectOnConflict(unwrapWithEtag(api.PATCH("/api/v1/organizations/{orgId}", { params, body })), () =>
        read(orgId),
      );
    },
    reportSuccess: () => toast({ text: words.settings.saved }),
    refresh: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["organization", orgId] }),
        // Every screen shows the name and accent.
        client.invalidateQueries({ queryKey: SESSION_KEY }),
      ]),
  });
}
