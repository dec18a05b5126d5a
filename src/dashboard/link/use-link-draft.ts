/** Unsaved changes of a link. */
import { type DraftOptions, useDraft } from "../drafts/use-draft";
import type { EditedLink, LinkChanges } from "../links/queries";
import { toast } from "../ui/toasts";
import { words } from "../words";
import { isSwitchedAlone, namesOfChanges } from "./fields";
import { useSavingLink } from "./saving";

interface Meaning<Draft> extends Pick<DraftOptions<EditedLink, Draft, LinkChanges>, "read" | "changesOf" | "rowId"> {
  /** The part of the link that is edited. */
  part: string;
  /** Returns the message shown after saving. */
  savedText(): string;
}

export function useLinkDraft<Draft extends object>(link: EditedLink, { savedText, part, ...meaning }: Meaning<Draft>) {
  const saving = useSavingLink(link);
  const state = useDraft(link, {
    ...{ ...meaning, ...saving, name: `${part} ${link._id}`, reportSuccess: () => toast({ text: savedText() }) },
    concerns: (over, now) => !isSwitchedAlone(over, now),
  });
  /** Names the fields that someone else changed. */
  const text = (theirs: EditedLink) => words.conflict.text(namesOfChanges(state.base, theirs).join(", "));
  return { ...state, meanwhile: { state, text } };
}
