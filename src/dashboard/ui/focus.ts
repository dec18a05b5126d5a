/** Moves the focus when its element disappears, or when something else needs it. */
import { type MouseEventHandler, useEffect } from "react";

const FAULTY = "main :is([aria-invalid=true], [data-faulty])";
const TYPED_INTO = "input:not([type=checkbox], [type=radio]), textarea, select";

/** Scrolls to the first invalid field and focuses it after an error, unless the user is typing. */
export function useScrollToFault(error: unknown): void {
  useEffect(() => {
    if (!error || document.activeElement?.matches(TYPED_INTO)) return;
    const faulty = document.querySelector<HTMLElement>(FAULTY);
    faulty?.scrollIntoView({ block: "center" });
    faulty?.focus({ preventScroll: true });
  }, [error]);
}

/**
 * Call before removing one of several buttons: moves its focus to a neighbor, otherwise to the element that
 * represents the row.
 */
export function passFocus(instead: HTMLElement | null): void {
  const { activeElement: held } = document;
  const beside = held?.nextElementSibling ?? held?.previousElementSibling;
  if (beside instanceof HTMLButtonElement) beside.focus();
  else instead?.focus();
}

/**
 * For the button beside a field that adds what is typed when the focus leaves it: that would move the button from under
 * the mouse before the click.
 */
export const keepFocus: MouseEventHandler = (event) => event.preventDefault();
