/** Guides to a working domain: the DNS records to create, each ready to copy, and checks of what phones receive. */
import { CircleAlert, CircleCheck, CircleHelp, CircleX, type LucideIcon } from "lucide-react";
import { useEffect } from "react";
import type { Schemas } from "../api/client";
import { useOrg } from "../shell/session";
import { Button, CopyButton } from "../ui/button";
import { Chip, Failure, Notice, Pairs, Skeleton } from "../ui/data";
import { Card, Code, Grow, Row, Stack, Text } from "../ui/layout";
import { toast } from "../ui/toasts";
import { type Domain, toastFailure, useConfiguration, useDomainChange, verifyDomain } from "./queries";
import { domainsWords as words } from "./words";

type RecordStatus = Schemas["DnsRecord"]["status"];
type CheckStatus = Schemas["DomainCheck"]["status"];

const LOOKS: Record<RecordStatus | CheckStatus, { icon: LucideIcon; tone?: "good" | "warn" | "bad" }> = {
  ok: { icon: CircleCheck, tone: "good" },
  missing: { icon: CircleX, tone: "warn" },
  wrong: { icon: CircleX, tone: "bad" },
  warning: { icon: CircleAlert, tone: "warn" },
  failed: { icon: CircleX, tone: "bad" },
  unknown: { icon: CircleHelp },
};

const RecordChip = ({ status }: { status: RecordStatus }) => (
  <Chip {...LOOKS[status]}>{words.domains.recordStatuses[status]}</Chip>
);

const CheckChip = ({ status }: { status: CheckStatus }) => (
  <Chip {...LOOKS[status]}>{words.domains.checkStatuses[status]}</Chip>
);

export function Doctor({ domain }: { domain: Domain }) {
  const { data, error, refetch } = useConfiguration(domain);
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton />;
  return (
    <Stack>
      <Records domain={domain} records={data.records} />
      <Checks checks={data.checks ?? []} />
    </Stack>
  );
}

function Records({ domain, records }: { domain: Domain; records: readonly Schemas["DnsRecord"][] }) {
  const { domains } = words;
  const { may } = useOrg();
  const verify = useDomainChange(verifyDomain);
  const { mutate } = verify;
  const isReady = !domain.isVerified && records.every(({ isRequired, status }) => !isRequired || status === "ok");
  const mayVerify = may("admin");
  // Verify automatically as soon as DNS has the required records.
  useEffect(() => {
    if (isReady && mayVerify) {
      mutate(domain, {
        onSuccess: ({ isVerified, hostname }) => isVerified && toast({ text: words.domains.verifiedNow(hostname) }),
        onError: toastFailure,
      });
    }
  }, [isReady, mayVerify, domain, mutate]);
  const missing = verify.data && !verify.data.isVerified ? verify.data.verification?.missing : undefined;
  return (
    <Card
      title={domains.doctor}
      actions={
        mayVerify && !domain.isVerified ? (
          <Button small busy={verify.isPending} onClick={() => mutate(domain, { onError: toastFailure })}>
            {domains.verify}
          </Button>
        ) : undefined
      }
    >
      <Stack>
        {domain.isVerified ? null : <Text soft>{domains.doctorText}</Text>}
        {missing ? <Notice tone="warn">{domains.stillMissing(missing.join(", "))}</Notice> : null}
        {records.map((record) => (
          <RecordToCreate key={`${record.type} ${record.name}`} record={record} />
        ))}
      </Stack>
    </Card>
  );
}

function RecordToCreate({
  record: { type, name, value, found, isRequired, status },
}: {
  record: Schemas["DnsRecord"];
}) {
  const { domains } = words;
  return (
    <Stack gap={2}>
      <Row gap={2}>
        <Text strong>{type}</Text>
        <Grow>
          <Text soft>{isRequired ? domains.required : domains.optional}</Text>
        </Grow>
        <RecordChip status={status} />
      </Row>
      <Pairs
        of={[
          [domains.record.name, <Copied key="name" text={name} label={domains.copyName} />],
          [
            domains.record.value,
            value ? <Copied key="value" text={value} label={domains.copyValue} /> : domains.valueUnknown,
          ],
          [domains.record.found, found.length > 0 ? <Code key="found">{found.join(", ")}</Code> : domains.nothingFound],
        ]}
      />
    </Stack>
  );
}

const Copied = ({ text, label }: { text: string; label: string }) => (
  <Row gap={1}>
    <Code>{text}</Code>
    <CopyButton small text={text} label={label} />
  </Row>
);

const Checks = ({ checks }: { checks: readonly Schemas["DomainCheck"][] }) => (
  <Card title={words.domains.checks}>
    <Stack>
      <Text soft>{words.domains.checksText}</Text>
      {checks.map(({ check, status, found, advice }) => (
        <Row key={check} top gap={3}>
          <Grow>
            <Text strong>{words.domains.check[check]}</Text>
            <Text soft foreign>
              {found}
            </Text>
            {advice ? <Text>{advice}</Text> : null}
          </Grow>
          <CheckChip status={status} />
        </Row>
      ))}
    </Stack>
  </Card>
);
