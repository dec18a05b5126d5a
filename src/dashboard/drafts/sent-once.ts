/**
 * Keeps a form from being sent twice, and a button that sends something from acting twice. That a request is under way
 * disables the button only with a timer, but a busy browser hands over waiting clicks and keys before any timer.
 */
const sent = new Set<EventTarget>();

/** Called once, at the start. */
export function watchActs(): void {
  document.addEventListener("submit", (event) => refuseSecond(event, event.target), { capture: true });
  document.addEventListener("click", (event) => refuseSecond(event, actingButton(event)), { capture: true });
}

const actingButton = ({ target }: Event): EventTarget | null =>
  target instanceof Element ? target.closest("button[data-acts]") : null;

function refuseSecond(event: Event, acting: EventTarget | null): void {
  if (!acting) return;
  if (sent.has(acting)) {
    event.preventDefault();
    event.stopPropagation();
    return;
  }
  sent.add(acting);
  // The timer that disables the button is set after the first one here, and before the second.
  setTimeout(() => setTimeout(() => sent.delete(acting)));
}
