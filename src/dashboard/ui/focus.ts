/** Moves the focus when its element disappears, or when something else needs it. */
import { type MouseEventHandler, useEffect, useLayoutEffect, useRef, useState } from "react";

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

/**
 * For a dialog: what had the focus when it opened may be gone when it is closed, such as the button of a row that has
 * been deleted. The focus then moves to what is left around it, or else to the screen.
 */
export function useFocusAfter(): void {
  const [around] = useState(() => ancestorsOf(document.activeElement));
  useEffect(
    () => () => {
      // Whoever has given the focus away gets it back first.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const left = around.find((element) => element.isConnected)?.closest<HTMLElement>("main [tabindex]");
        (left ?? document.getElementById("main"))?.focus({ preventScroll: true });
      });
    },
    [around],
  );
}

const ancestorsOf = (element: Element | null): Element[] =>
  element ? [element, ...ancestorsOf(element.parentElement)] : [];

const ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;
/** Screens whose ids open a dialog. */
const WITH_DIALOGS = ["live"];

/** Returns the part of an organization's path that names a screen, without its tabs and dialogs. */
function screenOf(path: string): string {
  const [, name = ""] = path.split("/");
  const [id = ""] = ID.exec(path) ?? [];
  return WITH_DIALOGS.includes(name) ? name : `${name} ${id}`;
}

let isOpening = false;

/** Call before another path is opened, unless the browser's history leads there. */
export function noteOpening(): void {
  isOpening = true;
}

/**
 * A screen that is opened begins at its top, as a page does. After Back and Forward, the browser scrolls to where it was
 * left. In either case it has the focus, for the keyboard and screen readers: what had it is usually gone.
 */
export function useArrival(path: string): void {
  const screen = screenOf(path);
  const before = useRef(screen);
  useLayoutEffect(() => {
    const isOpened = isOpening;
    isOpening = false;
    if (before.current === screen) return;
    before.current = screen;
    if (isOpened) scrollTo(0, 0);
    const main = document.getElementById("main");
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true });
  });
}
