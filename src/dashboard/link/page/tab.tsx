/** What a link shows visitors before its destination, and where it is shared. */
import type { FormEvent } from "react";
import { faultsOf, otherFaults } from "@/dashboard/api/failures";
import { ChangedMeanwhileNotice } from "@/dashboard/drafts/notice";
import type { EditedLink } from "@/dashboard/links/queries";
import { useOrg } from "@/dashboard/shell/session";
import { Button } from "@/dashboard/ui/button";
import { FieldSet } from "@/dashboard/ui/choice";
import { Notice } from "@/dashboard/ui/data";
import { Columns, Grow, Row, Stack, Text } from "@/dashboard/ui/layout";
import { JumpToSide, SaveBar } from "@/dashboard/ui/path/bars";
import { useLinkDraft } from "../use-link-draft";
import { CallToAction } from "./call-to-action";
import { type LinkPageDraft, linkPageChangesOf, linkPageDraftOf, linkPageFields } from "./draft";
import { LeadForm } from "./lead-form";
import { Pixels } from "./pixels";
import { LinkPagePreview, type ShownPart, useShownPart } from "./preview";
import { SocialPreview } from "./social-preview";
import { linkPageWords as words } from "./words";

export interface LinkPagePartProps {
  draft: LinkPageDraft;
  faults: Record<string, string>;
  mayEdit: boolean;
  set(next: Partial<LinkPageDraft>): void;
  /** Also works later, such as to undo something. */
  edit(change: (before: LinkPageDraft) => LinkPageDraft): void;
}

const MEANING = {
  ...{ part: "page", read: linkPageDraftOf, changesOf: linkPageChangesOf, rowId: "key" },
  savedText: () => words.linkPage.saved,
};

export default function PageTab({ link }: { link: EditedLink }) {
  const mayEdit = useOrg().may("member");
  const state = useLinkDraft(link, MEANING);
  const { draft, set, edit, isChanged, put, error } = state;
  const send = (event: FormEvent) => {
    event.preventDefault();
    put();
  };
  const [part, show] = useShownPart(draft);
  const parts: LinkPagePartProps = { draft, set, edit, mayEdit, faults: faultsOf(error) };
  /** Also shows the preview of the part being edited. */
  const shown = (of: ShownPart): LinkPagePartProps => ({
    ...parts,
    set(next) {
      set(next);
      show(of);
    },
  });
  return (
    <form onSubmit={send}>
      <Stack>
        <Columns>
          <FieldSet disabled={!mayEdit}>
            <Stack>
              <LeadForm {...shown("lead")} />
              <CallToAction {...shown("cta")} />
              <SocialPreview {...shown("social")} />
              <Pixels {...parts} />
              <JumpToSide>{words.preview.title}</JumpToSide>
            </Stack>
          </FieldSet>
          <LinkPagePreview {...{ linkId: link._id, draft, part, onShow: show }} />
        </Columns>
        {isChanged ? <Unsaved state={state} /> : null}
      </Stack>
    </form>
  );
}

function Unsaved({
  state: { draft, discard, isPending, isSaving, error, meanwhile },
}: {
  state: ReturnType<typeof useLinkDraft<LinkPageDraft>>;
}) {
  const { unsaved } = words.linkPage;
  const alert = otherFaults(error, linkPageFields(draft));
  return (
    <SaveBar label={unsaved} error={error}>
      <ChangedMeanwhileNotice {...meanwhile} />
      {alert ? <Notice tone="bad">{alert}</Notice> : null}
      <Grow>
        <Text strong>{unsaved}</Text>
      </Grow>
      <Row wrap>
        <Button disabled={isPending} onClick={discard}>
          {words.ui.discard}
        </Button>
        <Button type="submit" kind="primary" busy={isSaving}>
          {words.ui.save}
        </Button>
      </Row>
    </SaveBar>
  );
}
