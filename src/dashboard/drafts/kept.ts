/**
 * Keeps drafts beyond their screens, so that the browser's Back button loses nothing. Only drafts with unsaved input
 * are kept, and only until the page is reloaded.
 */
import { useEffect } from "react";
import { useUnsaved } from "../shell/leaving";

export interface Kept<Saved, Draft> {
  /** The saved version that the draft is based on. */
  base: Saved;
  draft: Draft;
}

/** Drafts by name of the edited resource. */
const kept = new Map<string, Kept<unknown, unknown>>();

/** Each name belongs to exactly one kind of form. */
export const keptAs = <Saved, Draft>(name: string) => kept.get(name) as Kept<Saved, Draft> | undefined;

/** Keeps a draft synchronously, because a screen may be left before its effects run. */
export function keep(name: string, draft: Kept<unknown, unknown> | undefined): void {
  if (draft) kept.set(name, draft);
  else kept.delete(name);
}

/** Keeps `unsaved` while it is defined, and asks before the screen is left. `giveUp` discards it. */
export function useKept(name: string, unsaved: Kept<unknown, unknown> | undefined, giveUp: () => void): void {
  const { base, draft } = unsaved ?? {};
  useEffect(() => keep(name, draft === undefined ? undefined : { base, draft }), [name, base, draft]);
  useUnsaved(unsaved !== undefined, giveUp);
}
