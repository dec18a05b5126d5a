/** What a domain is used for, and where its visitors go without a link. */
import type { FormEvent } from "react";
import { faultsOf, otherFaults } from "../api/failures";
import { ChangedMeanwhileNotice } from "../drafts/notice";
import { isSame } from "../drafts/rebase";
import { useDraft } from "../drafts/use-draft";
import { useOrg } from "../shell/session";
import { Button } from "../ui/button";
import { FieldSet, Tick } from "../ui/choice";
import { Failure, Notice, Skeleton } from "../ui/data";
import { TextField } from "../ui/field";
import { Card, Row, Stack } from "../ui/layout";
import { toast } from "../ui/toasts";
import {
  type Domain,
  type EditedDomain,
  hostDashboard,
  toastFailure,
  useDomain,
  useDomainChange,
  useSavingRedirects,
} from "./queries";
import { domainsWords as words } from "./words";

export function Hosting({ domain }: { domain: Domain }) {
  const { hosting } = words.domains;
  const { may } = useOrg();
  const host = useDomainChange(hostDashboard);
  const set = (body: Parameters<typeof host.mutate>[0]["body"]) =>
    host.mutate({ domain, body }, { onSuccess: () => toast({ text: hosting.saved }), onError: toastFailure });
  const { isPrimary, enabled } = domain.dashboard;
  const { isVerified } = domain;
  /** Without a verification, what is on can only be turned off. */
  const isDisabled = (isOn: boolean) => !may("admin") || host.isPending || !(isVerified || isOn);
  return (
    <Card title={hosting.title}>
      <Stack gap={2}>
        <Tick
          isSwitch
          {...{ label: hosting.isPrimary, checked: isPrimary, disabled: isDisabled(isPrimary) }}
          onChange={(on) => set({ isPrimary: on })}
        />
        <Tick
          isSwitch
          {...{ label: hosting.enabled, checked: enabled, disabled: isDisabled(enabled) }}
          onChange={(on) => set({ enabled: on })}
        />
      </Stack>
    </Card>
  );
}

const PLACES = ["root", "notFound", "expired"] as const;
type Place = (typeof PLACES)[number];

interface Draft extends Record<Place, string> {
  /** False once the bio page that is served at the root is to be served there no longer. */
  hasBioPage: boolean;
}

const draftOf = ({ redirects: { root, notFound = "", expired = "" } }: Domain): Draft => ({
  ...{ root: typeof root === "string" ? root : "", notFound, expired },
  hasBioPage: typeof root === "object",
});

/** Returns only what differs. An empty field removes its redirect. */
const changesOf = (saved: Draft, draft: Draft): Partial<Record<Place, string | null>> => ({
  ...(saved.hasBioPage && !draft.hasBioPage && { root: null }),
  ...Object.fromEntries(
    PLACES.filter((place) => draft[place] !== saved[place]).map((place) => [place, draft[place].trim() || null]),
  ),
});

export function Redirects({ domain }: { domain: Domain }) {
  const { data, error, refetch } = useDomain(domain);
  if (data) return <EditRedirects domain={data} />;
  return (
    <Card title={words.domains.redirects.title}>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton />}
    </Card>
  );
}

function EditRedirects({ domain }: { domain: EditedDomain }) {
  const { redirects: said } = words.domains;
  const { may } = useOrg();
  const state = useDraft(domain, {
    ...{ name: `domain ${domain._id}`, read: draftOf, changesOf, ...useSavingRedirects(domain) },
    concerns: (over, now) => !isSame(over.redirects, now.redirects),
    reportSuccess: () => toast({ text: said.saved }),
  });
  const { draft, set, put, discard, isChanged, isPending, isSaving, error } = state;
  const hasBioPage = typeof domain.redirects.root === "object";
  const faults = faultsOf(error);
  const alert = otherFaults(
    error,
    PLACES.map((place) => `redirects.${place}`),
  );
  const send = (event: FormEvent) => {
    event.preventDefault();
    put();
  };
  return (
    <Card title={said.title}>
      <form onSubmit={send}>
        <FieldSet disabled={!may("admin")}>
          <Stack>
            {alert ? <Notice tone="bad">{alert}</Notice> : null}
            <ChangedMeanwhileNotice state={state} text={() => words.conflict.plain} />
            {hasBioPage ? (
              <Tick
                {...{ label: said.bioPage, checked: draft.hasBioPage }}
                onChange={(isOn) => set({ hasBioPage: isOn })}
              />
            ) : null}
            {PLACES.map((place) => (
              <TextField
                key={place}
                label={said[place]}
                hint={said.hint}
                value={draft[place]}
                fault={faults[`redirects.${place}`]}
                onChange={(value) => set({ [place]: value })}
                inputMode="url"
              />
            ))}
            {may("admin") ? (
              <Row>
                <Button type="submit" disabled={!isChanged} busy={isSaving}>
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
    </Card>
  );
}
