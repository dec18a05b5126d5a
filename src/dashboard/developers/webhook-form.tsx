import type { FormEvent } from "react";
import type { Schemas } from "../api/client";
import { faultsOf, otherFaults } from "../api/failures";
import type { KeptInput } from "../drafts/kept-input";
import { Button } from "../ui/button";
import { optionsOf, Tick } from "../ui/choice";
import { Notice } from "../ui/data";
import { Dialog } from "../ui/dialog";
import { TextField } from "../ui/field";
import { Heading, Row, Stack } from "../ui/layout";
import type { WebhookEvent } from "./webhook-queries";
import { developersWords as words } from "./words";

export type WebhookValues = Required<Pick<Schemas["WebhookInput"], "url" | "events" | "batch">> & {
  description: string;
};

interface FormProps {
  title: string;
  act: string;
  input: Pick<KeptInput<WebhookValues>, "values" | "set">;
  isBusy: boolean;
  error: unknown;
  onSend(values: Omit<WebhookValues, "description"> & { description: string | null }): void;
  onClose(): void;
}

const SHOWN = ["url", "description", "events"];

/** Used to create and to edit a webhook. */
export function WebhookForm({ title, act, input, isBusy, error, onSend, onClose }: FormProps) {
  const { webhooks: said } = words.developers;
  const { values } = input;
  const events = optionsOf<WebhookEvent>(said.eventNames);
  // The dialog closes once the request succeeds, so ignore input after submitting.
  const set = (next: Partial<WebhookValues>) => (isBusy ? undefined : input.set(next));
  const faults = faultsOf(error);
  const alert = otherFaults(error, SHOWN);
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSend({ ...values, url: values.url.trim(), description: values.description.trim() || null });
  };
  return (
    <Dialog title={title} onClose={onClose} isBusy={isBusy}>
      <form onSubmit={send}>
        <Stack>
          {alert ? <Notice tone="bad">{alert}</Notice> : null}
          <TextField
            {...{ label: said.url, value: values.url, fault: faults.url }}
            onChange={(url) => set({ url })}
            inputMode="url"
            autoCapitalize="none"
            autoComplete="off"
            required
          />
          <TextField
            {...{ label: said.description, value: values.description, fault: faults.description }}
            onChange={(description) => set({ description })}
            maxLength={500}
          />
          <Stack gap={1}>
            <Heading>{said.events}</Heading>
            {events.map(([name, text]) => (
              <Tick
                key={name}
                label={text}
                checked={values.events.includes(name)}
                onChange={(isOn) =>
                  set({
                    events: events
                      .map(([each]) => each)
                      .filter((each) => (each === name ? isOn : values.events.includes(each))),
                  })
                }
              />
            ))}
            {faults.events ? <Notice tone="bad">{faults.events}</Notice> : null}
          </Stack>
          <Tick label={said.batch} checked={values.batch} onChange={(batch) => set({ batch })} />
          <Row>
            <Button type="submit" kind="primary" busy={isBusy}>
              {act}
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
