/**
 * Keeps a form from being sent twice. That a request is under way disables the button only with a timer, but a busy
 * browser hands over waiting clicks and keys before any timer.
 */
const sent = new Set<EventTarget>();

/** Called once, at the start. */
export const watchSubmits = (): void => document.addEventListener("submit", refuseSecond, { capture: true });

function refuseSecond(event: Event): void {
  const { target: form } = event;
  if (!form) return;
  if (sent.has(form)) {
    event.preventDefault();
    event.stopPropagation();
    return;
  }
  sent.add(form);
  // The timer that disables the button is set after the first one here, and before the second.
  setTimeout(() => setTimeout(() => sent.delete(form)));
}
