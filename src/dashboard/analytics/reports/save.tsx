import { type FormEvent, type RefObject, useRef, useState } from "react";
import { faultsOf, otherFaults } from "@/dashboard/api/failures";
import { useKeptInput } from "@/dashboard/drafts/kept-input";
import { useOrg } from "@/dashboard/shell/session";
import { Button } from "@/dashboard/ui/button";
import { Notice } from "@/dashboard/ui/data";
import { Dialog } from "@/dashboard/ui/dialog";
import { TextField } from "@/dashboard/ui/field";
import { Row, Stack, Text } from "@/dashboard/ui/layout";
import { toast } from "@/dashboard/ui/toasts";
import { analyticsWords as words } from "../words";
import { type Report, useSaveReport, useUpdateReport } from "./queries";

const BLANK = { name: "" };

interface SaveProps {
  /** The current filters; undefined if a report cannot store them. */
  filters: Report["filters"] | undefined;
  onSaved(report: Report): void;
  onClose(): void;
}

export function SaveReport({ filters, onSaved, onClose }: SaveProps) {
  const { reports: said } = words.analytics;
  const save = useSaveReport();
  const { values, set, clear } = useKeptInput(`new report ${useOrg()._id}`, BLANK);
  const field = useRef<HTMLInputElement>(null);
  if (!filters) {
    return (
      <Dialog title={said.save} onClose={onClose}>
        <Notice tone="warn">{said.oneLink}</Notice>
      </Dialog>
    );
  }
  const send = (name: string) =>
    save.mutate(
      { name, filters },
      {
        onSuccess() {
          clear();
          toast({ text: said.saved(name) });
        },
        goOn: onSaved,
      },
    );
  const giveUp = () => {
    clear();
    onClose();
  };
  return (
    <Dialog title={said.save} onClose={giveUp} isBusy={save.isPending} initialFocus={field}>
      <Text soft>{said.saveText}</Text>
      <NameForm
        {...{ field, ...values, error: save.error, isBusy: save.isPending, onSend: send, onClose: giveUp }}
        onChange={(name) => set({ name })}
      />
    </Dialog>
  );
}

export function RenameReport({ report, onClose }: { report: Report; onClose(): void }) {
  const { reports: said } = words.analytics;
  const rename = useUpdateReport();
  const [name, setName] = useState(report.name);
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog title={said.rename} onClose={onClose} isBusy={rename.isPending} initialFocus={field}>
      <NameForm
        {...{ field, name, error: rename.error, isBusy: rename.isPending, onChange: setName, onClose }}
        onSend={(name) => rename.mutate({ _id: report._id, name }, { goOn: onClose })}
      />
    </Dialog>
  );
}

interface NameProps {
  field: RefObject<HTMLInputElement | null>;
  name: string;
  error: unknown;
  isBusy: boolean;
  onChange(name: string): void;
  onSend(name: string): void;
  onClose(): void;
}

function NameForm({ field, name, error, isBusy, onChange, onSend, onClose }: NameProps) {
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSend(name.trim());
  };
  const alert = otherFaults(error, ["name"]);
  return (
    <form onSubmit={send}>
      <Stack>
        {alert ? <Notice tone="bad">{alert}</Notice> : null}
        <TextField
          {...{ label: words.analytics.reports.name, value: name, onChange, fault: faultsOf(error).name }}
          ref={field}
          maxLength={120}
          autoComplete="off"
          required
        />
        <Row>
          <Button type="submit" kind="primary" busy={isBusy}>
            {words.ui.save}
          </Button>
          <Button disabled={isBusy} onClick={onClose}>
            {words.ui.cancel}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
