/**
 * Knows whether a form holds input that only the page has, so that the page stays if the session ends. A field counts
 * from its first input on, as long as it is shown and not empty.
 */
type Field = HTMLInputElement | HTMLTextAreaElement;

const touched = new Set<Field>();

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** Called once, at the start. Fields outside of a form filter what is shown, and the URL keeps them. */
export const watchTyping = (): void =>
  document.addEventListener("input", ({ target }) => {
    dropGone();
    if (isField(target) && target.form) touched.add(target);
  });

export function isAnythingTyped(): boolean {
  dropGone();
  return [...touched].some(({ value }) => value !== "");
}

function dropGone(): void {
  for (const field of touched) if (!field.isConnected) touched.delete(field);
}
