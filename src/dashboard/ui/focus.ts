/** Where the focus goes when what has it goes away, or when something else needs it. */
import { useEffect } from "react";

const FAULTY = "main :is([aria-invalid=true], [data-faulty])";
const TYPED_INTO = "input:not([type=checkbox], [type=radio]), textarea, select";

/** What is refused is in sight, the first of it with the focus, unless somebody types on elsewhere. */
export function useFaultInSight(error: unknown): void {
  useEffect(() => {
    if (!error || document.activeElement?.matches(TYPED_INTO)) return;
    const faulty = document.querySelector<HTMLElement>(FAULTY);
    faulty?.scrollIntoView({ block: "center" });
    faulty?.focus({ preventScroll: true });
  }, [error]);
}

/** Before one of a row is taken away: the focus that it has goes to the one beside, or to what stands for the row. */
export function passFocus(instead: HTMLElement | null): void {
  const { activeElement: held } = document;
  const beside = held?.nextElementSibling ?? held?.previousElementSibling;
  if (beside instanceof HTMLButtonElement) beside.focus();
  else instead?.focus();
}
