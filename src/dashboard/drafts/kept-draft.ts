/**
 * Keeps drafts beyond their screens, so that the browser's Back button loses nothing. Only drafts with unsaved input
 * are kept, and only until the page is reloaded; the browser asks before that.
 */
import { useEffect } from "react";
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

/** Call once a resource has been deleted: forgets the drafts of it that were left on other screens. */
export function forgetDraftsOf(id: string): void {
  for (const name of kept.keys()) if (name.endsWith(` ${id}`)) keepDraft(name, undefined);
}

/** Keeps `unsaved` while it is defined, and asks before the screen is left. `giveUp` discards it. */
export function useKeptDraft(name: string, unsaved: KeptDraft<unknown, unknown> | undefined, giveUp: () => void): void {
  const { base, draft } = unsaved ?? {};
  useEffect(() => keepDraft(name, draft === undefined ? undefined : { base, draft }), [name, base, draft]);
  useUnsaved(unsaved !== undefined, giveUp);
}
