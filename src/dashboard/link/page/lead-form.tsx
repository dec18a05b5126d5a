import { Plus, Trash2 } from "lucide-react";
import { useRef } from "react";
import { Button, IconButton } from "@/dashboard/ui/button";
import { optionsOf, Select, Tick } from "@/dashboard/ui/choice";
import { TextArea, TextField } from "@/dashboard/ui/field";
import { Card, Heading, Row, Stack, Text } from "@/dashboard/ui/layout";
import { FieldPairs } from "@/dashboard/ui/path/bars";
import { toast } from "@/dashboard/ui/toasts";
import { newId } from "../route/draft";
import { type DraftField, type LinkPageDraft, newField } from "./draft";
import type { LinkPagePartProps } from "./tab";
import { linkPageWords as words } from "./words";

const FIELDS_MAX = 20;

export function LeadForm({ draft: { lead }, faults, mayEdit, set, edit: editPage }: LinkPagePartProps) {
  const said = words.linkPage.lead;
  const addButton = useRef<HTMLButtonElement>(null);
  const edit = (next: Partial<LinkPageDraft["lead"]>) => set({ lead: { ...lead, ...next } });
  const field = (name: "title" | "description" | "buttonText" | "consentText") => ({
    ...{ label: said[name], value: lead[name], fault: faults[`leadCapture.${name}`] },
    onChange: (value: string) => edit({ [name]: value }),
  });
  const fields = {
    add: () => edit({ fields: [...lead.fields, newField()] }),
    change: (key: string, next: Partial<DraftField>) =>
      edit({ fields: lead.fields.map((each) => (each.key === key ? { ...each, ...next } : each)) }),
    remove(removed: DraftField, at: number) {
      edit({ fields: lead.fields.filter(({ key }) => key !== removed.key) });
      addButton.current?.focus();
      const again = { ...removed, key: newId() };
      const undo = () =>
        editPage(({ lead: now, ...others }) => ({
          ...others,
          lead: { ...now, fields: now.fields.toSpliced(at, 0, again) },
        }));
      toast({ text: said.fieldRemoved(at + 1), undo });
    },
  };
  return (
    <Card title={said.card}>
      <Stack>
        <Text soft>{said.hint}</Text>
        <Tick label={said.enabled} checked={lead.enabled} onChange={(enabled) => edit({ enabled })} />
        <TextField {...field("title")} maxLength={200} />
        <TextArea {...field("description")} maxLength={1_000} />
        <Row apart>
          <Heading>{said.fields}</Heading>
          {mayEdit ? (
            <Button
              {...{ small: true, icon: Plus, ref: addButton, disabled: lead.fields.length >= FIELDS_MAX }}
              onClick={fields.add}
            >
              {said.addField}
            </Button>
          ) : null}
        </Row>
        {lead.fields.length === 0 ? <Text soft>{said.noFields}</Text> : null}
        {lead.fields.map((each, at) => (
          <LeadFormField
            key={each.key}
            {...{ field: each, position: at + 1, mayEdit }}
            faultAt={(name) => faults[`leadCapture.fields.${at}.${name}`]}
            onChange={(next) => fields.change(each.key, next)}
            onRemove={() => fields.remove(each, at)}
          />
        ))}
        <TextField {...field("buttonText")} maxLength={80} />
        <TextArea {...field("consentText")} maxLength={1_000} />
      </Stack>
    </Card>
  );
}

interface FieldProps {
  field: DraftField;
  position: number;
  mayEdit: boolean;
  faultAt(name: string): string | undefined;
  onChange(next: Partial<DraftField>): void;
  onRemove(): void;
}

function LeadFormField({ field, position, mayEdit, faultAt, onChange, onRemove }: FieldProps) {
  const said = words.linkPage.lead;
  return (
    <FieldPairs>
      <TextField
        {...{ label: said.name, value: field.name, fault: faultAt("name"), maxLength: 64 }}
        onChange={(name) => onChange({ name })}
      />
      <TextField
        {...{ label: said.label, value: field.label, fault: faultAt("label"), maxLength: 200 }}
        onChange={(label) => onChange({ label })}
      />
      <Select
        {...{
          label: said.type,
          value: field.type,
          options: optionsOf<DraftField["type"]>(said.types),
          fault: faultAt("type"),
        }}
        onChange={(type) => onChange({ type })}
      />
      <Row apart>
        <Tick label={said.required} checked={field.required} onChange={(required) => onChange({ required })} />
        {mayEdit ? (
          <IconButton {...{ small: true, icon: Trash2, label: said.removeField(position) }} onClick={onRemove} />
        ) : null}
      </Row>
    </FieldPairs>
  );
}
