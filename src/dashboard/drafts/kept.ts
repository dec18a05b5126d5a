/**
 * Drafts outlive their screens, so that the browser's Back loses nothing. Only what somebody typed into is kept, and only as
 * long as the page is loaded.
 */
import { useEffect } from "react";
import { useUnsaved } from "../shell/leaving";

export interface Kept<Saved, Draft> {
  /** What the draft was made of. */
  base: Saved;
  draft: Draft;
}

/** By what is edited. */
const kept = new Map<string, Kept<unknown, unknown>>();

/** A name is used with one kind of form alone. */
export const keptAs = <Saved, Draft>(name: string) => kept.get(name) as Kept<Saved, Draft> | undefined;

/** At once: a screen may be left before its effects run. */
export function keep(name: string, draft: Kept<unknown, unknown> | undefined): void {
  if (draft) kept.set(name, draft);
  else kept.delete(name);
}

/** `unsaved`: what is kept from now on, and asked about where the screen is left with what gives it up. */
export function useKept(name: string, unsaved: Kept<unknown, unknown> | undefined, giveUp: () => void): void {
  const { base, draft } = unsaved ?? {};
  useEffect(() => keep(name, draft === undefined ? undefined : { base, draft }), [name, base, draft]);
  useUnsaved(unsaved !== undefined, giveUp);
}
