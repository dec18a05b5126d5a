import type { FormEvent } from "react";
import { DAY_MS } from "@/core/time/time-range";
import { faultsOf, otherFaults } from "../api/failures";
import type { KeptInput } from "../drafts/kept-input";
import { Button } from "../ui/button";
import { Select, Tick } from "../ui/choice";
import { Notice } from "../ui/data";
import { Dialog } from "../ui/dialog";
import { TextField } from "../ui/field";
import { Heading, Row, Stack } from "../ui/layout";
import { developersWords as words } from "./words";

export interface CredentialInput<Scope extends string> {
  name: string;
  scopes: readonly Scope[];
  /** Until it expires; empty if it does not. */
  days: string;
}

interface FormProps<Scope extends string> {
  title: string;
  input: KeptInput<CredentialInput<Scope>>;
  scopes: readonly (readonly [Scope, string])[];
  /** True if it may have no expiry date. */
  isEndless: boolean;
  isBusy: boolean;
  error: unknown;
  onSend(values: { name: string; scopes: Scope[]; expiresAt?: string }): void;
  onClose(): void;
}

const DAYS = ["30", "90", "365"] as const;

export function CredentialForm<Scope extends string>(props: FormProps<Scope>) {
  const { title, input, scopes, isEndless, isBusy, error, onSend, onClose } = props;
  const { credentials: said } = words.developers;
  const { values, set } = input;
  const { name, scopes: chosen, days } = values;
  const faults = faultsOf(error);
  const alert = otherFaults(error, ["name", "scopes", "expiresAt"]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSend({
      name: name.trim(),
      scopes: [...chosen],
      ...(days && { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
    });
  };
  const giveUp = () => {
    input.clear();
    onClose();
  };
  const ends = DAYS.map((each) => [each, said.inDays(each)] as const);
  return (
    <Dialog title={title} onClose={giveUp} isBusy={isBusy}>
      <form onSubmit={send}>
        <Stack>
          {alert ? <Notice tone="bad">{alert}</Notice> : null}
          <TextField
            {...{ label: said.name, hint: said.nameHint, value: name, fault: faults.name }}
            onChange={(next) => set({ name: next })}
            maxLength={120}
            autoComplete="off"
            required
          />
          <Stack gap={1}>
            <Heading>{said.scopes}</Heading>
            {scopes.map(([scope, text]) => (
              <Tick
                key={scope}
                label={text}
                checked={chosen.includes(scope)}
                onChange={(isOn) =>
                  set({ scopes: isOn ? [...chosen, scope] : chosen.filter((each) => each !== scope) })
                }
              />
            ))}
            {faults.scopes ? <Notice tone="bad">{faults.scopes}</Notice> : null}
          </Stack>
          <Select
            {...{ label: said.expires, value: days, fault: faults.expiresAt }}
            onChange={(next) => set({ days: next })}
            options={isEndless ? [["", said.never], ...ends] : ends}
          />
          <Row>
            <Button type="submit" kind="primary" busy={isBusy}>
              {said.create}
            </Button>
            <Button disabled={isBusy} onClick={giveUp}>
              {words.ui.cancel}
            </Button>
          </Row>
        </Stack>
      </form>
    </Dialog>
  );
}
