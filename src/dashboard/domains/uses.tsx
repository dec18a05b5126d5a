/** What a host is used for, and where its visitors go without a link. */
import { type FormEvent, useState } from "react";
import { faultsOf, otherFaults } from "../api/failures";
import { useOrg } from "../shell/session";
import { Button } from "../ui/button";
import { FieldSet, Tick } from "../ui/choice";
import { Notice } from "../ui/data";
import { TextField } from "../ui/field";
import { Card, Row, Stack, Text } from "../ui/layout";
import { toast } from "../ui/toasts";
import { words } from "../words";
import { type Domain, hostDashboard, redirectVisitors, tellFailure, useDomainChange } from "./queries";

export function Hosting({ domain }: { domain: Domain }) {
  const { hosting } = words.domains;
  const { may } = useOrg();
  const host = useDomainChange(hostDashboard);
  const set = (body: Parameters<typeof host.mutate>[0]["body"]) =>
    host.mutate({ domain, body }, { onSuccess: () => toast({ text: hosting.saved }), onError: tellFailure });
  const { isPrimary, enabled } = domain.dashboard;
  const disabled = !may("admin") || !domain.isVerified || host.isPending;
  return (
    <Card title={hosting.title}>
      <Stack gap={2}>
        <Tick
          isSwitch
          {...{ label: hosting.isPrimary, checked: isPrimary, disabled }}
          onChange={(on) => set({ isPrimary: on })}
        />
        <Tick
          isSwitch
          {...{ label: hosting.enabled, checked: enabled, disabled }}
          onChange={(on) => set({ enabled: on })}
        />
      </Stack>
    </Card>
  );
}

const PLACES = ["root", "notFound", "expired"] as const;
type Place = (typeof PLACES)[number];

export function Redirects({ domain }: { domain: Domain }) {
  const { redirects: said } = words.domains;
  const { may } = useOrg();
  const { root, notFound = "", expired = "" } = domain.redirects;
  const hasBioPage = typeof root === "object";
  const saved: Record<Place, string> = { root: typeof root === "string" ? root : "", notFound, expired };
  const [values, setValues] = useState(saved);
  const change = useDomainChange(redirectVisitors);
  const faults = faultsOf(change.error);
  const alert = otherFaults(
    change.error,
    PLACES.map((place) => `redirects.${place}`),
  );
  const send = (event: FormEvent) => {
    event.preventDefault();
    const urls = Object.fromEntries(PLACES.map((place) => [place, values[place].trim() || null]));
    const redirects = hasBioPage && !values.root ? { ...urls, root } : urls;
    change.mutate({ domain, redirects }, { onSuccess: () => toast({ text: said.saved }) });
  };
  const isChanged = PLACES.some((place) => values[place] !== saved[place]);
  return (
    <Card title={said.title}>
      <form onSubmit={send}>
        <FieldSet disabled={!may("admin")}>
          <Stack>
            {alert ? <Notice tone="bad">{alert}</Notice> : null}
            {hasBioPage ? <Text soft>{said.bioPage}</Text> : null}
            {PLACES.map((place) => (
              <TextField
                key={place}
                label={said[place]}
                hint={said.hint}
                value={values[place]}
                fault={faults[`redirects.${place}`]}
                onChange={(value) => setValues({ ...values, [place]: value })}
                inputMode="url"
              />
            ))}
            {may("admin") ? (
              <Row>
                <Button type="submit" disabled={!isChanged} busy={change.isPending}>
                  {words.ui.save}
                </Button>
              </Row>
            ) : null}
          </Stack>
        </FieldSet>
      </form>
    </Card>
  );
}
