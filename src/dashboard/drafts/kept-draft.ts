/**
 * Keeps drafts beyond their screens, so that the browser's Back button loses nothing. Only drafts with unsaved input
 * are kept, and only until the page is reloaded; the browser asks before that.
 */
import { useEffect, useRef } from "react";
import { useUnsaved } from "../shell/leaving";
import { holdPageWhile } from "./only-copy";

export interface KeptDraft<Saved, Draft> {
  /** The saved version that the draft is based on. */
  base: Saved;
  draft: Draft;
}

/** Drafts by name of the edited resource. */
const kept = new Map<string, KeptDraft<unknown, unknown>>();
holdPageWhile(() => kept.size > 0);
const warn = (event: BeforeUnloadEvent) => event.preventDefault();

/** Each name belongs to exactly one kind of form, and ends with the id of what is edited. */
export const readKeptDraft = <Saved, Draft>(name: string) => kept.get(name) as KeptDraft<Saved, Draft> | undefined;

/** Keeps a draft synchronously, because a screen may be left before its effects run. */
export function keepDraft(name: string, draft: KeptDraft<unknown, unknown> | undefined): void {
  if (draft) kept.set(name, draft);
  else kept.delete(name);
  if (kept.size > 0) addEventListener("beforeunload", warn);
  else removeEventListener("beforeunload", warn);
}

type Change = (draft: unknown) => unknown;

/** The forms that are rendered, by name, and how their drafts are edited. */
const forms = new Map<string, (change: Change) => void>();
/** How often each draft was discarded. */
const discards = new Map<string, number>();

/** Call whenever the draft is replaced by what is saved. */
export function forgetDraft(name: string): void {
  keepDraft(name, undefined);
  discards.set(name, (discards.get(name) ?? 0) + 1);
}

interface EditedForm<Saved, Draft> {
  name: string;
  put(change: (before: Draft) => Draft): void;
  /** Returns the draft with which the form was left. */
  last(): KeptDraft<Saved, Draft>;
  isUnsaved(kept: KeptDraft<Saved, Draft>): boolean;
}

/**
 * Returns a function that edits the draft, also later, such as to undo something, when the form may have been left. Once
 * the draft is discarded, there is nothing to undo any more.
 */
export function useDraftEditor<Saved, Draft>(
  form: EditedForm<Saved, Draft>,
): (change: (before: Draft) => Draft) => void {
  const { name, put, last, isUnsaved } = form;
  const newest = useRef(put);
  newest.current = put;
  useEffect(() => {
    const edit = (change: Change) => newest.current(change as (before: Draft) => Draft);
    forms.set(name, edit);
    return () => {
      if (forms.get(name) === edit) forms.delete(name);
    };
  }, [name]);
  const discarded = discards.get(name);
  return (change) => {
    if (discards.get(name) !== discarded) return;
    const edit = forms.get(name);
    if (edit) return edit(change as Change);
    const { base, draft } = readKeptDraft<Saved, Draft>(name) ?? last();
    const edited = { base, draft: change(draft) };
    keepDraft(name, isUnsaved(edited) ? edited : undefined);
  };
}

/** Call once a resource has been deleted: forgets the drafts of it that were left on other screens. */
export function forgetDraftsOf(id: string): void {
  for (const name of kept.keys()) if (name.endsWith(` ${id}`)) forgetDraft(name);
}

/** Keeps `unsaved` while it is defined, and asks before the screen is left. `giveUp` discards it. */
export function useKeptDraft(name: string, unsaved: KeptDraft<unknown, unknown> | undefined, giveUp: () => void): void {
  const { base, draft } = unsaved ?? {};
  useEffect(() => keepDraft(name, draft === undefined ? undefined : { base, draft }), [name, base, draft]);
  useUnsaved(unsaved !== undefined, giveUp);
}
