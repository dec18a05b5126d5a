/** The editable parts of a page, and its unsaved changes. */
import type { FormEvent } from "react";
import { faultsOf, otherFaults } from "../api/failures";
import { ChangedMeanwhileNotice } from "../drafts/notice";
import { useDraft } from "../drafts/use-draft";
import { useOrg } from "../shell/session";
import { Button } from "../ui/button";
import { FieldSet, Tick } from "../ui/choice";
import { Notice } from "../ui/data";
import { TextArea, TextField } from "../ui/field";
import { Card, Columns, Grow, Row, Stack, Text } from "../ui/layout";
import { JumpToSide, SaveBar } from "../ui/path/bars";
import { toast } from "../ui/toasts";
import { type PageDraft, pageChangesOf, pageDraftOf } from "./draft";
import { Items } from "./items";
import { Look } from "./look";
import { Preview } from "./preview";
import { type EditedPage, useSavingPage } from "./queries";
import { shownFields } from "./shown-fields";
import { pagesWords as words } from "./words";

export interface PagePartProps {
  draft: PageDraft;
  faults: Record<string, string>;
  mayEdit: boolean;
  edit(change: (before: PageDraft) => PageDraft): void;
}

export function PageForm({ page }: { page: EditedPage }) {
  const mayEdit = useOrg().may("member");
  const state = usePageDraft(page);
  const { draft, isChanged, error, put, edit } = state;
  const send = (event: FormEvent) => {
    event.preventDefault();
    put();
  };
  const parts: PagePartProps = { draft, faults: faultsOf(error), mayEdit, edit };
  return (
    <form onSubmit={send}>
      <Stack>
        <FieldSet disabled={!mayEdit}>
          <Columns>
            <Stack>
              <About {...parts} />
              <Items {...parts} />
              <JumpToSide>{words.preview.title}</JumpToSide>
            </Stack>
            <Stack>
              <Preview bioPageId={page._id} draft={draft} />
              <Look {...parts} />
            </Stack>
          </Columns>
        </FieldSet>
        {isChanged ? <Unsaved state={state} /> : null}
      </Stack>
    </form>
  );
}

function usePageDraft(page: EditedPage) {
  const saving = useSavingPage(page);
  const reportSuccess = () => toast({ text: words.pages.saved });
  return useDraft(page, {
    name: `bio page ${page._id}`,
    read: pageDraftOf,
    changesOf: pageChangesOf,
    reportSuccess,
    ...saving,
  });
}

function Unsaved({ state }: { state: ReturnType<typeof usePageDraft> }) {
  const { pages } = words;
  const { draft, isPending, isSaving, error, discard } = state;
  const alert = otherFaults(error, shownFields(draft));
  return (
    <SaveBar label={pages.unsaved} error={error}>
      <ChangedMeanwhileNotice state={state} text={() => pages.conflict} />
      {alert ? <Notice tone="bad">{alert}</Notice> : null}
      <Grow>
        <Text strong>{pages.unsaved}</Text>
      </Grow>
      <Row wrap>
        <Button disabled={isPending} onClick={discard}>
          {pages.discard}
        </Button>
        <Button type="submit" kind="primary" busy={isSaving}>
          {words.ui.save}
        </Button>
      </Row>
    </SaveBar>
  );
}

const About = ({ draft, faults, edit }: PagePartProps) => (
  <Card title={words.pages.about}>
    <Stack>
      <TextField
        {...{ label: words.pages.title, value: draft.title, fault: faults.title, maxLength: 120 }}
        onChange={(title) => edit((before) => ({ ...before, title }))}
        required
      />
      <TextArea
        {...{ label: words.pages.bio, value: draft.bio, fault: faults.bio, maxLength: 500 }}
        onChange={(bio) => edit((before) => ({ ...before, bio }))}
      />
      <Tick
        label={words.pages.isActive}
        checked={draft.isActive}
        onChange={(isActive) => edit((before) => ({ ...before, isActive }))}
      />
    </Stack>
  </Card>
);
