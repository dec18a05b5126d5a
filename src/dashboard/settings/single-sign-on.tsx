/** The organization's own OpenID provider; only owners can configure it. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { api, ifMatch, type Schemas, type Tagged, unwrapWithEtag } from "../api/client";
import { faultsOf, otherFaults } from "../api/failures";
import { rejectOnConflict } from "../drafts/edit-conflict";
import { ChangedMeanwhileNotice } from "../drafts/notice";
import { useDraft } from "../drafts/use-draft";
import { useOrg } from "../shell/session";
import { Button, CopyText } from "../ui/button";
import { Select, Tick } from "../ui/choice";
import { Failure, Notice, Skeleton } from "../ui/data";
import { TextField } from "../ui/field";
import { useScrollToFault } from "../ui/focus";
import { Card, Columns, Row, Stack, Text } from "../ui/layout";
import { toast } from "../ui/toasts";
import { SSO_FIELDS, type SsoConfiguration, ssoChanges, ssoDraft } from "./sso-draft";
import { settingsWords as words } from "./words";

const ROLES = ["viewer", "member", "admin"] as const;

const read = (orgId: string, signal?: AbortSignal) =>
  unwrapWithEtag(
    api.GET("/api/v1/organizations/{orgId}/sso", { params: { path: { orgId } }, ...(signal && { signal }) }),
  );

export default function SingleSignOn() {
  const { sso: said } = words.settings;
  const { _id: orgId } = useOrg();
  const { data, error, refetch } = useQuery({
    queryKey: ["sso", orgId],
    queryFn: ({ signal }) => read(orgId, signal),
  });
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  return (
    <Columns>
      <Form key={orgId} configuration={data} />
      <Card title={said.atProvider}>
        <Stack>
          <CopyText label={said.callbackUrl} text={data.callbackUrl} />
          <CopyText label={said.startUrl} text={data.startUrl} />
        </Stack>
      </Card>
    </Columns>
  );
}

function Form({ configuration }: { configuration: Tagged<SsoConfiguration> }) {
  const { sso: said } = words.settings;
  const state = useSsoDraft(configuration);
  const { draft, set, put, discard, isChanged, isPending, isSaving, error } = state;
  useScrollToFault(error);
  const faults = faultsOf(error);
  const alert = otherFaults(error, SSO_FIELDS);
  const send = (event: FormEvent) => {
    event.preventDefault();
    put();
  };
  const field = (name: "issuer" | "clientId" | "clientSecret") => ({
    ...{ label: said[name], value: draft[name], fault: faults[name] },
    onChange: (value: string) => set({ [name]: value }),
    autoComplete: "off",
  });
  return (
    <Card title={words.settings.tabs.sso}>
      <form onSubmit={send}>
        <Stack>
          <Text soft>{said.meaning}</Text>
          {alert ? <Notice tone="bad">{alert}</Notice> : null}
          <ChangedMeanwhileNotice state={state} text={() => words.conflict.plain} />
          <TextField {...field("issuer")} hint={said.issuerHint} inputMode="url" />
          <TextField {...field("clientId")} />
          <TextField
            {...field("clientSecret")}
            hint={configuration.hasClientSecret ? said.secretKept : undefined}
            type="password"
            autoComplete="new-password"
          />
          <TextField
            {...{ label: said.domains, hint: said.domainsHint, value: draft.domains, fault: faults.allowedDomains }}
            onChange={(domains) => set({ domains })}
          />
          <Select
            {...{ label: said.defaultRole, value: draft.defaultRole, fault: faults.defaultRole }}
            onChange={(defaultRole) => set({ defaultRole })}
            options={ROLES.map((role) => [role, words.settings.roles[role]])}
          />
          <Tick label={said.enabled} checked={draft.enabled} onChange={(enabled) => set({ enabled })} />
          <Tick label={said.enforce} checked={draft.enforce} onChange={(enforce) => set({ enforce })} />
          <Row>
            <Button type="submit" kind="primary" disabled={!isChanged} busy={isSaving}>
              {words.ui.save}
            </Button>
            <Button disabled={!isChanged || isPending} onClick={discard}>
              {words.ui.discard}
            </Button>
          </Row>
        </Stack>
      </form>
    </Card>
  );
}

function useSsoDraft(configuration: Tagged<SsoConfiguration>) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  return useDraft(configuration, {
    ...{ name: `single sign-on ${orgId}`, read: ssoDraft, changesOf: ssoChanges },
    save(body: Schemas["SsoUpdate"], over: Tagged<SsoConfiguration>) {
      const params = { path: { orgId }, header: ifMatch(over) };
      const saved = unwrapWithEtag(api.PATCH("/api/v1/organizations/{orgId}/sso", { params, body }));
      return rejectOnConflict(saved, () => read(orgId));
    },
    reportSuccess: () => toast({ text: words.settings.saved }),
    refresh: () => client.invalidateQueries({ queryKey: ["sso", orgId] }),
  });
}
