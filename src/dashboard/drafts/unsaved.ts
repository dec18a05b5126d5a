/** What has been typed and not saved. */
import { holdPageWhile } from "./only-copy";

export type Discard = () => void;

/** Unsaved changes, each with a function that discards it. */
export const unsaved = new Set<{ current: Discard }>();
holdPageWhile(() => unsaved.size > 0);

/** Call before leaving, if the user has said so or has deleted what was edited. */
export function discardUnsaved(): void {
  for (const { current: discard } of unsaved) discard();
  unsaved.clear();
}
