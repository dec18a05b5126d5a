import { type FormEvent, useState } from "react";
import { DAY_MS } from "@/core/time/time-range";
import { faultsOf, otherFaults } from "../api/failures";
import { Button } from "../ui/button";
import { Select, Tick } from "../ui/choice";
import { Notice } from "../ui/data";
import { Dialog } from "../ui/dialog";
import { TextField } from "../ui/field";
import { Heading, Row, Stack } from "../ui/layout";
import { developersWords as words } from "./words";

interface FormProps<Scope extends string> {
  title: string;
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
  const { title, scopes, isEndless, isBusy, error, onSend, onClose } = props;
  const { credentials: said } = words.developers;
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<readonly Scope[]>([]);
  const [days, setDays] = useState<string>(isEndless ? "" : "90");
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
  const ends = DAYS.map((each) => [each, said.inDays(each)] as const);
  return (
    <Dialog title={title} onClose={onClose} isBusy={isBusy}>
      <form onSubmit={send}>
        <Stack>
          {alert ? <Notice tone="bad">{alert}</Notice> : null}
          <TextField
            {...{ label: said.name, hint: said.nameHint, value: name, onChange: setName, fault: faults.name }}
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
                onChange={(isOn) => setChosen(isOn ? [...chosen, scope] : chosen.filter((each) => each !== scope))}
              />
            ))}
            {faults.scopes ? <Notice tone="bad">{faults.scopes}</Notice> : null}
          </Stack>
          <Select
            {...{ label: said.expires, value: days, onChange: setDays, fault: faults.expiresAt }}
            options={isEndless ? [["", said.never], ...ends] : ends}
          />
          <Row>
            <Button type="submit" kind="primary" busy={isBusy}>
              {said.create}
            </Button>
            <Button disabled={isBusy} onClick={onClose}>
              {words.ui.cancel}
            </Button>
          </Row>
        </Stack>
      </form>
    </Dialog>
  );
}
