/** What a link is called, when it serves and for how many; its destinations are the route's. */
import { type FormEvent, useState } from "react";
import { faultsOf, otherFaults } from "../api/failures";
import { tagsOf } from "../links/box";
import type { Link } from "../links/queries";
import { useOrg } from "../shell/session";
import { Button } from "../ui/button";
import { FieldSet, Tick } from "../ui/choice";
import { Notice } from "../ui/data";
import { TextArea, TextField } from "../ui/field";
import { Card, Columns, Grid, Row, Stack } from "../ui/layout";
import { toast } from "../ui/toasts";
import { words } from "../words";
import { ChangedMeanwhileNotice } from "./changed-meanwhile";
import { changesOf, type Draft, draftOf } from "./draft";
import { namesOfChanges } from "./fields";
import { ChangedMeanwhile, useSaveLink } from "./saving";

const SHOWN = ["title", "tags", "notes", "externalId", "startsAt", "expiresAt", "expiredUrl", "maxClicks", "password"];
const UTM = ["source", "medium", "campaign", "term", "content"] as const;

export default function Settings({ link }: { link: Link }) {
  const { may } = useOrg();
  const [base, setBase] = useState(link);
  const saved = draftOf(base);
  const [draft, setDraft] = useState(saved);
  const save = useSaveLink(base);
  const changes = changesOf(saved, draft, tagsOf);
  const isChanged = Object.keys(changes).length > 0;
  const isSound = isWhole(draft.maxClicks);
  const take = (now: Link) => {
    setBase(now);
    setDraft(draftOf(now));
  };
  // What others change is shown as it comes, as long as nothing was typed here.
  if (!isChanged && !save.isPending && link.updatedAt > base.updatedAt) take(link);
  const put = (isForced: boolean) =>
    save.mutate(
      { changes, isForced },
      {
        onSuccess(now) {
          take(now);
          toast({ text: words.link.saved });
        },
      },
    );
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isSound) put(false);
  };
  const { error } = save;
  const faults = { ...faultsOf(error), ...(!isSound && { maxClicks: words.link.faults.whole }) };
  const alert =
    error instanceof ChangedMeanwhile ? undefined : otherFaults(error, [...SHOWN, ...UTM.map((name) => `utm.${name}`)]);
  const parts = { draft, faults, set: (next: Partial<Draft>) => setDraft({ ...draft, ...next }) };
  return (
    <form onSubmit={send}>
      <FieldSet disabled={!may("member")}>
        <Stack>
          {alert ? <Notice tone="bad">{alert}</Notice> : null}
          {error instanceof ChangedMeanwhile ? (
            <ChangedMeanwhileNotice
              text={words.link.conflict.text(namesOfChanges(base, error.now).join(", "))}
              onSaveMine={() => put(true)}
              onTakeTheirs={() => {
                take(error.now);
                save.reset();
              }}
            />
          ) : null}
          <Columns>
            <Stack>
              <Names {...parts} />
              <Serving {...parts} isProtected={link.passwordProtected} />
            </Stack>
            <Utm {...parts} />
          </Columns>
          {may("member") ? (
            <Row>
              <Button type="submit" kind="primary" disabled={!isChanged || !isSound} busy={save.isPending}>
                {words.ui.save}
              </Button>
              <Button disabled={!isChanged} onClick={() => setDraft(saved)}>
                {words.link.discard}
              </Button>
            </Row>
          ) : null}
        </Stack>
      </FieldSet>
    </form>
  );
}

const isWhole = (text: string): boolean => /^\d*$/.test(text.trim());

interface PartProps {
  draft: Draft;
  faults: Record<string, string>;
  set(next: Partial<Draft>): void;
}

function Names({ draft, faults, set }: PartProps) {
  const { fields, hints } = words.link;
  const field = (name: "title" | "tags" | "externalId") => ({
    ...{ label: fields[name], value: draft[name], fault: faults[name] },
    onChange: (value: string) => set({ [name]: value }),
  });
  return (
    <Card title={words.link.sections.names}>
      <Stack>
        <TextField {...field("title")} maxLength={200} />
        <TextField {...field("tags")} hint={words.links.box.tagsHint} />
        <TextField {...field("externalId")} hint={hints.externalId} />
        <TextArea
          label={fields.notes}
          value={draft.notes}
          fault={faults.notes}
          onChange={(notes) => set({ notes })}
          maxLength={2_000}
        />
      </Stack>
    </Card>
  );
}

function Serving({ draft, faults, set, isProtected }: PartProps & { isProtected: boolean }) {
  const { fields, hints } = words.link;
  const field = (name: "startsAt" | "expiresAt" | "expiredUrl" | "maxClicks" | "password") => ({
    ...{ label: fields[name], value: draft[name], fault: faults[name] },
    onChange: (value: string) => set({ [name]: value }),
  });
  return (
    <Card title={words.link.sections.serving}>
      <Stack>
        <Grid>
          <TextField {...field("startsAt")} type="datetime-local" hint={hints.localTime} />
          <TextField {...field("expiresAt")} type="datetime-local" hint={hints.localTime} />
        </Grid>
        <TextField {...field("expiredUrl")} hint={hints.expiredUrl} inputMode="url" />
        <TextField {...field("maxClicks")} hint={hints.maxClicks} inputMode="numeric" />
        <TextField
          {...field("password")}
          type="password"
          autoComplete="new-password"
          hint={isProtected ? hints.passwordSet : hints.password}
        />
        {isProtected ? (
          <Tick
            label={words.link.removePassword}
            checked={draft.removesPassword}
            onChange={(removesPassword) => set({ removesPassword })}
          />
        ) : null}
      </Stack>
    </Card>
  );
}

const Utm = ({ draft, faults, set }: PartProps) => (
  <Card title={words.link.sections.utm}>
    <Stack>
      {UTM.map((name) => (
        <TextField
          key={name}
          label={words.link.utm[name]}
          value={draft.utm[name]}
          fault={faults[`utm.${name}`]}
          onChange={(value) => set({ utm: { ...draft.utm, [name]: value } })}
        />
      ))}
    </Stack>
  </Card>
);
