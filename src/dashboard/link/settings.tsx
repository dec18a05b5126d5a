/** A link's name, and when and for how many visitors it works. Its destinations are on the route tab. */
import type { FormEvent } from "react";
import { faultsOf, otherFaults } from "../api/failures";
import { useApps } from "../apps/queries";
import { ChangedMeanwhileNotice } from "../drafts/notice";
import type { EditedLink } from "../links/queries";
import { tagsOf } from "../links/tags-text";
import { useOrg } from "../shell/session";
import { Button } from "../ui/button";
import { FieldSet, Select, Tick } from "../ui/choice";
import { Notice } from "../ui/data";
import { TextArea, TextField } from "../ui/field";
import { useScrollToFault } from "../ui/focus";
import { Card, Columns, Grid, Row, Stack } from "../ui/layout";
import { changesOf, type Draft, draftOf, wrongDates } from "./draft";
import { useLinkDraft } from "./use-link-draft";
import { linkWords as words } from "./words";

const SHOWN = [
  ...["title", "tags", "notes", "externalId", "startsAt", "expiresAt", "expiredUrl", "appProfileId", "maxClicks"],
  "password",
];
const UTM = ["source", "medium", "campaign", "term", "content"] as const;

const MEANING = {
  part: "settings",
  read: draftOf,
  changesOf: (saved: Draft, draft: Draft) => changesOf(saved, draft, tagsOf),
  savedText: () => words.link.saved,
};

export default function Settings({ link }: { link: EditedLink }) {
  const { may } = useOrg();
  const state = useLinkDraft(link, MEANING);
  const { base, draft, set, isChanged, isPending, isSaving, put, discard, error, meanwhile } = state;
  useScrollToFault(error);
  const wrong = ownFaults(draftOf(base), draft);
  const isSound = Object.keys(wrong).length === 0;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isSound) put();
  };
  const faults = { ...faultsOf(error), ...wrong };
  const alert = otherFaults(error, [...SHOWN, ...UTM.map((name) => `utm.${name}`)]);
  const parts = { draft, faults, set };
  return (
    <form onSubmit={send}>
      <FieldSet disabled={!may("member")}>
        <Stack>
          {alert ? <Notice tone="bad">{alert}</Notice> : null}
          <ChangedMeanwhileNotice {...meanwhile} isSound={isSound} />
          <Columns>
            <Stack>
              <Names {...parts} />
              <Serving {...parts} isProtected={link.passwordProtected} />
            </Stack>
            <Utm {...parts} />
          </Columns>
          {may("member") ? (
            <Row>
              <Button type="submit" kind="primary" disabled={!isChanged || !isSound} busy={isSaving}>
                {words.ui.save}
              </Button>
              <Button disabled={!isChanged || isPending} onClick={discard}>
                {words.ui.discard}
              </Button>
            </Row>
          ) : null}
        </Stack>
      </FieldSet>
    </form>
  );
}

/** Faults that are found before the form is sent. */
function ownFaults(saved: Draft, draft: Draft): Record<string, string> {
  const { date, whole } = words.link.faults;
  const dates = wrongDates(saved, draft).map((name) => [name, date] as const);
  return { ...Object.fromEntries(dates), ...(!isWhole(draft.maxClicks) && { maxClicks: whole }) };
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
        <AppField {...{ draft, faults, set }} />
        <TextField {...field("maxClicks")} hint={hints.maxClicks} inputMode="numeric" autoComplete="off" />
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

function AppField({ draft: { appProfileId: chosen }, faults, set }: PartProps) {
  const { data: apps = [], isSuccess } = useApps();
  if (apps.length === 0 && chosen === "") return null;
  // Its name may not be known yet.
  const unnamed =
    chosen !== "" && !apps.some(({ _id }) => _id === chosen) ? [[chosen, isSuccess ? chosen : "…"] as const] : [];
  return (
    <Select
      {...{ label: words.link.fields.appProfileId, value: chosen, fault: faults.appProfileId }}
      onChange={(appProfileId) => set({ appProfileId })}
      options={[["", words.link.anyApp], ...unnamed, ...apps.map(({ _id, name }) => [_id, name] as const)]}
    />
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
