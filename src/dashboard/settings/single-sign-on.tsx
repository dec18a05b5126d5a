/** The organization's own OpenID provider, for owners. */
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, ask, type Schemas } from "../api/client";
import { faultsOf, otherFaults } from "../api/failures";
import { tagsOf } from "../links/box";
import { useChange } from "../shell/asking";
import { useOrg } from "../shell/session";
import { Button, CopyText } from "../ui/button";
import { Select, Tick } from "../ui/choice";
import { Failure, Notice, Skeleton } from "../ui/data";
import { TextField } from "../ui/field";
import { Card, Columns, Row, Stack, Text } from "../ui/layout";
import { toast } from "../ui/toasts";
import { words } from "../words";

type Configuration = Schemas["SsoConfiguration"];

const ROLES = ["viewer", "member", "admin"] as const;
const SHOWN = ["issuer", "clientId", "clientSecret", "allowedDomains", "defaultRole"];

export default function SingleSignOn() {
  const { sso: said } = words.settings;
  const { _id: orgId } = useOrg();
  const { data, error, refetch } = useQuery({
    queryKey: ["sso", orgId],
    queryFn: ({ signal }) => ask(api.GET("/api/v1/organizations/{orgId}/sso", { params: { path: { orgId } }, signal })),
  });
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  return (
    <Columns>
      <Form key={data.updatedAt} configuration={data} />
      <Card title={said.atProvider}>
        <Stack>
          <CopyText label={said.callbackUrl} text={data.callbackUrl} />
          <CopyText label={said.startUrl} text={data.startUrl} />
        </Stack>
      </Card>
    </Columns>
  );
}

const valuesOf = ({ issuer, clientId, allowedDomains, defaultRole, enabled, enforce }: Configuration) => ({
  ...{ issuer: issuer ?? "", clientId: clientId ?? "", clientSecret: "", domains: allowedDomains.join(", ") },
  ...{ defaultRole, enabled, enforce },
});

function Form({ configuration }: { configuration: Configuration }) {
  const { sso: said } = words.settings;
  const [values, setValues] = useState(() => valuesOf(configuration));
  const save = useSave();
  const set = (next: Partial<typeof values>) => setValues({ ...values, ...next });
  const faults = faultsOf(save.error);
  const alert = otherFaults(save.error, SHOWN);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const { issuer, clientId, clientSecret, domains, ...rest } = values;
    save.mutate(
      {
        ...rest,
        ...{ issuer: issuer.trim() || null, clientId: clientId.trim() || null, allowedDomains: tagsOf(domains) },
        ...(clientSecret && { clientSecret }),
      },
      { onSuccess: () => toast({ text: words.settings.saved }) },
    );
  };
  const field = (name: "issuer" | "clientId" | "clientSecret") => ({
    ...{ label: said[name], value: values[name], fault: faults[name] },
    onChange: (value: string) => set({ [name]: value }),
    autoComplete: "off",
  });
  return (
    <Card title={words.settings.tabs.sso}>
      <form onSubmit={send}>
        <Stack>
          <Text soft>{said.meaning}</Text>
          {alert ? <Notice tone="bad">{alert}</Notice> : null}
          <TextField {...field("issuer")} hint={said.issuerHint} inputMode="url" />
          <TextField {...field("clientId")} />
          <TextField
            {...field("clientSecret")}
            hint={configuration.hasClientSecret ? said.secretKept : undefined}
            type="password"
            autoComplete="new-password"
          />
          <TextField
            {...{ label: said.domains, hint: said.domainsHint, value: values.domains, fault: faults.allowedDomains }}
            onChange={(domains) => set({ domains })}
          />
          <Select
            {...{ label: said.defaultRole, value: values.defaultRole, fault: faults.defaultRole }}
            onChange={(defaultRole) => set({ defaultRole })}
            options={ROLES.map((role) => [role, words.settings.roles[role]])}
          />
          <Tick label={said.enabled} checked={values.enabled} onChange={(enabled) => set({ enabled })} />
          <Tick label={said.enforce} checked={values.enforce} onChange={(enforce) => set({ enforce })} />
          <Row>
            <Button type="submit" kind="primary" busy={save.isPending}>
              {words.ui.save}
            </Button>
          </Row>
        </Stack>
      </form>
    </Card>
  );
}

function useSave() {
  const { _id: orgId } = useOrg();
  return useChange("sso", (body: Schemas["SsoUpdate"]) =>
    ask(api.PATCH("/api/v1/organizations/{orgId}/sso", { params: { path: { orgId } }, body })),
  );
}
