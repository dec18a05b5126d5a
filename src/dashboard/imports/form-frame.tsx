/** The options that all imports share, whatever their source. */
import type { FormEvent, ReactNode } from "react";
import type { Schemas } from "../api/client";
import { faultsOf, otherFaults } from "../api/failures";
import { useKeptInput } from "../drafts/kept-input";
import { useDomains } from "../links/domains";
import { useOrg } from "../shell/session";
import { Button } from "../ui/button";
import { optionsOf, Select, Tick } from "../ui/choice";
import { Notice } from "../ui/data";
import { Grid, Row, Stack, Text } from "../ui/layout";
import { importsWords as words } from "./words";

type Options = Schemas["ImportOptionsInput"];
export type Source = NonNullable<Options["source"]>;
type Conflict = NonNullable<Options["onConflict"]>;

const BLANK: { domainId: string; onConflict: Conflict; dryRun: boolean } = {
  ...{ domainId: "", onConflict: "skip", dryRun: true },
};

interface FrameProps {
  text: string;
  error: unknown;
  /** Paths of its own fields that show error messages. */
  fields: readonly string[];
  isBusy: boolean;
  isReady?: boolean;
  /** `onStarted` is to be called once the import has started. */
  onSend(options: Options, onStarted: () => void): void;
  children: ReactNode;
  /** Options that only this way has. */
  ticks?: ReactNode;
}

export function FormFrame({ text, error, fields, isBusy, isReady = true, onSend, children, ticks }: FrameProps) {
  const { imports } = words;
  const { values, set, clear } = useKeptInput(`import options ${useOrg()._id}`, BLANK);
  const { domainId, onConflict, dryRun } = values;
  const domains = useDomains().data?.filter(({ isVerified }) => isVerified) ?? [];
  const alert = otherFaults(error, [...fields, "options.domainMap"]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const options = { onConflict, dryRun, ...(domainId && { domainMap: { "*": domainId } }) };
    // What was tried is then imported in the same way.
    onSend(options, dryRun ? () => undefined : clear);
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
              {...{ label: imports.domain, value: domainId }}
              onChange={(next) => set({ domainId: next })}
              fault={faultsOf(error)["options.domainMap"]}
              options={[["", imports.noDomain], ...domains.map(({ _id, hostname }) => [_id, hostname] as const)]}
            />
          ) : null}
          <Select
            {...{ label: imports.onConflict, value: onConflict }}
            onChange={(next) => set({ onConflict: next })}
            options={optionsOf(imports.conflicts)}
          />
        </Grid>
        {ticks}
        <Tick label={imports.dryRun} checked={dryRun} onChange={(next) => set({ dryRun: next })} />
        <Row>
          <Button type="submit" kind="primary" disabled={!isReady} busy={isBusy}>
            {imports.start}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
