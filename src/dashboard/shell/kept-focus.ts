/**
 * Keeps the focus near its place when the element that has it goes, such as the button of a row that leaves its list, or
 * is disabled while its request is under way. Otherwise the browser forgets the place, and the keyboard and screen
 * readers start again at the top of the page. Whoever knows a better place moves the focus there first.
 */

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

/** Called once, at the start. */
export function watchFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    held =
      target instanceof HTMLElement && target !== document.body
        ? { element: target, steps: stepsOf(target) }
        : undefined;
  });
  document.addEventListener("keydown", refuseRepeated, { capture: true });
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

/** A key that is held would press the button again and again, and then the one that takes its place. */
function refuseRepeated(event: KeyboardEvent): void {
  if (event.repeat && event.key === "Enter" && event.target instanceof HTMLButtonElement) event.preventDefault();
}
