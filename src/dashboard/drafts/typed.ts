/**
 * Knows whether a form holds input that only the page has, so that the page stays if the session ends. A field counts
 * from its first input on, as long as it is shown and not empty.
 */
import { holdPageWhile } from "./only-copy";

type Field = HTMLInputElement | HTMLTextAreaElement;

const touched = new Set<Field>();

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** Called once, at the start. Fields outside of a form filter what is shown, and the URL keeps them. */
export function watchTyping(): void {
  holdPageWhile(isAnythingTyped);
  document.addEventListener("input", ({ target }) => {
    dropGone();
    if (isField(target) && target.form) touched.add(target);
  });
}

const isAnythingTyped = (): boolean => isTypedIn(document.documentElement);

export function isTypedIn(part: Element): boolean {
  dropGone();
  return [...touched].some((field) => field.value !== "" && part.contains(field));
}

function dropGone(): void {
  for (const field of touched) if (!field.isConnected) touched.delete(field);
}
