/** A table of API keys or access tokens: their scopes, when they were last used, and when they expire. */
import { useState } from "react";
import type { Change } from "../api/changes";
import { failureText } from "../api/failures";
import { Button } from "../ui/button";
import { Chip } from "../ui/data";
import { Confirm } from "../ui/dialog";
import { dayText, momentText } from "../ui/format";
import { Card, Code, Row, Text } from "../ui/layout";
import { Table } from "../ui/table";
import { toast } from "../ui/toasts";
import { developersWords as words } from "./words";

export interface Credential {
  _id: string;
  name: string;
  prefix: string;
  scopes: readonly string[];
  expiresAt?: string | undefined;
  lastUsedAt?: string | undefined;
  revokedAt?: string | undefined;
}

interface CredentialsProps<Each extends Credential> {
  label: string;
  credentials: readonly Each[];
  /** Returns the owner once known, for lists with credentials of several people. */
  ownerOf?(credential: Each): string | undefined;
  revoke: Pick<Change<{ deleted: true; _id: string }, string>, "isPending" | "mutate">;
}

export function Credentials<Each extends Credential>(props: CredentialsProps<Each>) {
  const { label, credentials, ownerOf, revoke } = props;
  const { credentials: said } = words.developers;
  const [revoking, setRevoking] = useState<Each>();
  const end = () => setRevoking(undefined);
  const confirm = ({ _id, name }: Each) =>
    revoke.mutate(_id, {
      onSuccess: () => toast({ text: said.revoked(name) }),
      onError: (error) => toast({ text: failureText(error), isFailure: true }),
      close: end,
    });
  return (
    <Card padded={false}>
      <Table
        label={label}
        rows={credentials}
        keyOf={({ _id }) => _id}
        columns={[
          { title: said.name, cell: (each) => <Name of={each} owner={ownerOf?.(each)} /> },
          { title: said.scopes, cell: ({ scopes }) => <Scopes of={scopes} /> },
          {
            title: said.lastUsed,
            isTime: true,
            cell: ({ lastUsedAt }) => (lastUsedAt ? momentText(lastUsedAt) : said.never),
          },
          { title: said.expires, cell: (each) => <End of={each} /> },
          {
            title: said.actions,
            isTitleHidden: true,
            isNumber: true,
            cell: (each) =>
              each.revokedAt ? null : (
                <Button small onClick={() => setRevoking(each)}>
                  {said.revoke}
                </Button>
              ),
          },
        ]}
      />
      {revoking ? (
        <Confirm
          title={said.revoking.title(revoking.name)}
          text={said.revoking.text}
          act={said.revoke}
          isBusy={revoke.isPending}
          onConfirm={() => confirm(revoking)}
          onClose={end}
        />
      ) : null}
    </Card>
  );
}

const Name = ({ of: { name, prefix }, owner }: { of: Credential; owner: string | undefined }) => (
  <>
    <Text strong foreign>
      {name}
    </Text>
    <Code>{`${prefix}…`}</Code>
    {owner ? (
      <Text soft small foreign>
        {owner}
      </Text>
    ) : null}
  </>
);

const Scopes = ({ of }: { of: readonly string[] }) => (
  <Row wrap gap={1}>
    {of.map((scope) => (
      <Chip key={scope}>{scope}</Chip>
    ))}
  </Row>
);

function End({ of: { expiresAt, revokedAt } }: { of: Credential }) {
  const { credentials: said } = words.developers;
  if (revokedAt) return <Chip>{said.revokedOn(dayText(revokedAt))}</Chip>;
  if (!expiresAt) return said.never;
  return Date.parse(expiresAt) < Date.now() ? (
    <Chip tone="warn">{said.expiredOn(dayText(expiresAt))}</Chip>
  ) : (
    dayText(expiresAt)
  );
}
