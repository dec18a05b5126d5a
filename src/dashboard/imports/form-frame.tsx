/** The options that all imports share, whatever their source. */
import { type FormEvent, type ReactNode, useState } from "react";
import type { Schemas } from "../api/client";
import { faultsOf, otherFaults } from "../api/failures";
import { useDomains } from "../links/domains";
import { Button } from "../ui/button";
import { optionsOf, Select, Tick } from "../ui/choice";
import { Notice } from "../ui/data";
import { Grid, Row, Stack, Text } from "../ui/layout";
import { importsWords as words } from "./words";

type Options = Schemas["ImportOptionsInput"];
export type Source = NonNullable<Options["source"]>;
type Conflict = NonNullable<Options["onConflict"]>;

interface FrameProps {
  text: string;
  error: unknown;
  /** Paths of its own fields that show error messages. */
  fields: readonly string[];
  isBusy: boolean;
  isReady?: boolean;
  onSend(options: Options): void;
  children: ReactNode;
}

export function FormFrame({ text, error, fields, isBusy, isReady = true, onSend, children }: FrameProps) {
  const { imports } = words;
  const [domainId, setDomainId] = useState("");
  const [onConflict, setOnConflict] = useState<Conflict>("skip");
  const [dryRun, setDryRun] = useState(true);
  const domains = useDomains().data?.filter(({ isVerified }) => isVerified) ?? [];
  const alert = otherFaults(error, [...fields, "options.domainMap"]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSend({ onConflict, dryRun, ...(domainId && { domainMap: { "*": domainId } }) });
  };
  return (
    <form onSubmit={send}>
      <Stack>
        <Text soft>{text}</Text>
        {alert ? <Notice tone="bad">{alert}</Notice> : null}
        <Grid>
          {children}
          {domains.length > 0 ? (
            <Select
              {...{ label: imports.domain, value: domainId, onChange: setDomainId }}
              fault={faultsOf(error)["options.domainMap"]}
              options={[["", imports.noDomain], ...domains.map(({ _id, hostname }) => [_id, hostname] as const)]}
            />
          ) : null}
          <Select
            {...{ label: imports.onConflict, value: onConflict, onChange: setOnConflict }}
            options={optionsOf(imports.conflicts)}
          />
        </Grid>
        <Tick label={imports.dryRun} checked={dryRun} onChange={setDryRun} />
        <Row>
          <Button type="submit" kind="primary" disabled={!isReady} busy={isBusy}>
            {imports.start}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
