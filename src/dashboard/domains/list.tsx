import { Globe, Plus } from "lucide-react";
import type { FormEvent } from "react";
import { Link as Anchor, useLocation, useSearch } from "wouter";
import { faultsOf, otherFaults } from "../api/failures";
import { useKeptInput } from "../drafts/kept-input";
import { useListSearch, WHOLE } from "../shell/list-search";
import { useOrg } from "../shell/session";
import { Button, LinkButton } from "../ui/button";
import { Tick } from "../ui/choice";
import { Chip, Empty, Notice } from "../ui/data";
import { Dialog } from "../ui/dialog";
import { TextField } from "../ui/field";
import { Card, Row, Screen, Stack } from "../ui/layout";
import { Table } from "../ui/table";
import { toast } from "../ui/toasts";
import { addDomain, type Domain, useDomainChange } from "./queries";
import { domainsWords as words } from "./words";

export function DomainList({ domains, isAdding = false }: { domains: readonly Domain[]; isAdding?: boolean }) {
  const { may } = useOrg();
  const [, navigate] = useLocation();
  const query = useSearch();
  const [found, search] = useListSearch(WHOLE, domains, ({ hostname }) => [hostname]);
  const { add, empty } = words.domains;
  const button = may("admin") ? (
    <LinkButton to={`/domains/new${query && `?${query}`}`} kind="primary" icon={Plus}>
      {add}
    </LinkButton>
  ) : undefined;
  return (
    <Screen title={words.screens.domains} actions={domains.length > 0 ? button : undefined}>
      {search}
      <Card padded={false}>
        {domains.length === 0 ? (
          <Empty icon={Globe} title={empty.title} text={empty.text} action={button} />
        ) : (
          <Domains domains={found} />
        )}
      </Card>
      {isAdding && may("admin") ? (
        <AddDomain onClose={() => navigate(`/domains${location.search}`, { replace: true })} />
      ) : null}
    </Screen>
  );
}

const Domains = ({ domains }: { domains: readonly Domain[] }) => (
  <Table
    label={words.screens.domains}
    rows={domains}
    keyOf={({ _id }) => _id}
    columns={[
      {
        title: words.domains.hostname,
        cell: ({ _id, hostname }) => <Anchor href={`/domains/${_id}`}>{hostname}</Anchor>,
      },
      { title: words.domains.state, cell: (domain) => <States domain={domain} /> },
    ]}
  />
);

export const States = ({ domain: { isVerified, dashboard } }: { domain: Domain }) => {
  const { domains } = words;
  return (
    <Row wrap gap={1}>
      <Chip tone={isVerified ? "good" : "warn"}>{isVerified ? domains.verified : domains.unverified}</Chip>
      {dashboard.isPrimary ? <Chip>{domains.primary}</Chip> : null}
      {dashboard.enabled ? <Chip>{domains.dashboard}</Chip> : null}
    </Row>
  );
};

const BLANK = { hostname: "", caseSensitive: false };

function AddDomain({ onClose }: { onClose(): void }) {
  const { domains } = words;
  const [, navigate] = useLocation();
  const { values, set, clear } = useKeptInput(`new domain ${useOrg()._id}`, BLANK);
  const { hostname, caseSensitive } = values;
  const add = useDomainChange(addDomain);
  const alert = otherFaults(add.error, ["hostname"]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(
      { hostname: hostname.trim(), caseSensitive },
      {
        onSuccess(domain) {
          clear();
          toast({ text: domains.added(domain.hostname) });
        },
        goOn: ({ _id }) => navigate(`/domains/${_id}`, { replace: true }),
      },
    );
  };
  const giveUp = () => {
    clear();
    onClose();
  };
  return (
    <Dialog title={domains.add} onClose={giveUp} isBusy={add.isPending}>
      <form onSubmit={send}>
        <Stack>
          {alert ? <Notice tone="bad">{alert}</Notice> : null}
          <TextField
            {...{ label: domains.hostname, hint: domains.hostnameHint, value: hostname }}
            onChange={(next) => set({ hostname: next })}
            fault={faultsOf(add.error).hostname}
            autoCapitalize="none"
            spellCheck={false}
            required
          />
          <Tick
            {...{ label: domains.caseSensitive, checked: caseSensitive }}
            onChange={(next) => set({ caseSensitive: next })}
          />
          <Row>
            <Button type="submit" kind="primary" busy={add.isPending}>
              {domains.add}
            </Button>
          </Row>
        </Stack>
      </form>
    </Dialog>
  );
}
