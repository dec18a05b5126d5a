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

const FOCUSABLE =
  "a[href], button:not(:disabled), input:not(:disabled, [type=hidden]), select:not(:disabled), textarea:not(:disabled), " +
  "[tabindex]:not([tabindex='-1'])";
/** Milliseconds in which others may move the focus first. */
const OTHERS_MS = 100;

interface Step {
  element: Element;
  next: Element | null;
  previous: Element | null;
}

interface Held {
  element: HTMLElement;
  /** The element and those around it, from within, each with what was beside it. */
  steps: Step[];
  /** It has been disabled since. */
  isWaiting?: boolean;
}

let held: Held | undefined;

/**
 * Called once, at the start. Keeps the focus near its place when the element that has it goes, such as the button of a row
 * that leaves its list, or is disabled while its request is under way. Otherwise the browser forgets the place, and the
 * keyboard and screen readers start again at the top of the page. Whoever knows a better place moves the focus there first.
 */
export function watchFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    held =
      target instanceof HTMLElement && target !== document.body
        ? { element: target, steps: stepsOf(target) }
        : undefined;
  });
  // A click beside everything gives the focus up.
  document.addEventListener("pointerdown", ({ target }) => {
    if (target instanceof Element && !target.closest(`${FOCUSABLE}, label, summary`)) held = undefined;
  });
  const watched = { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] };
  new MutationObserver(lookAfter).observe(document.body, watched);
}

const stepsOf = (element: Element | null): Step[] => {
  if (!element || element === document.body) return [];
  const { nextElementSibling: next, previousElementSibling: previous, parentElement } = element;
  return [{ element, next, previous }, ...stepsOf(parentElement)];
};

const isFree = (): boolean => document.activeElement === null || document.activeElement === document.body;

function lookAfter(): void {
  const lost = held;
  if (!lost) return;
  if (lost.element.matches(":disabled")) lost.isWaiting = true;
  if (!isFree()) return;
  setTimeout(() => {
    if (lost === held && isFree()) placeFor(lost)?.focus({ preventScroll: true });
  }, OTHERS_MS);
}

/** Undefined while the element is disabled, because its request is under way, and if the user gave the focus up. */
function placeFor({ element, steps, isWaiting }: Held): HTMLElement | undefined {
  if (element.isConnected) return isWaiting && !element.matches(":disabled") ? element : undefined;
  const at = steps.findIndex((step) => step.element.isConnected);
  const [gone, around] = [steps[at - 1], steps[at]];
  if (!gone || !around) return;
  const beside = placeBeside(gone, element);
  return beside?.checkVisibility()
    ? beside
    : (around.element.closest<HTMLElement>("main [tabindex], main") ?? undefined);
}

/** Of a row that is like the one that has gone, the same element. */
function placeBeside({ element, next, previous }: Step, lost: HTMLElement): HTMLElement | undefined {
  const lostPlaces = element === lost ? [] : within(element);
  const [after, before] = [next, previous].map((each) => (each?.isConnected ? within(each) : []));
  const alike = [after, before].find(
    (places) => places && lostPlaces.length > 0 && places.length === lostPlaces.length,
  );
  return alike?.[lostPlaces.indexOf(lost)] ?? after?.[0] ?? before?.at(-1);
}

const within = (part: Element): HTMLElement[] =>
  [part, ...part.querySelectorAll(FOCUSABLE)].filter(
    (each): each is HTMLElement => each instanceof HTMLElement && each.matches(FOCUSABLE),
  );
