/** Keys of the screens: a key is what it is called in the list that `?` shows. None does anything while somebody types. */
import { useEffect, useRef } from "react";

export type KeyName = "c" | "e" | "/" | "j" | "k" | "x" | "o" | "y" | "n" | "?" | "t";

type Actions = Partial<Record<KeyName, () => void>>;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && target.type === "checkbox");

/** While the caller is shown, and no dialog stands over it. */
export function useKeys(actions: Actions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      // A toast has the role of a dialog too, but takes no keys.
      if (document.querySelector("[role=dialog]:not(.toast)")) return;
      const action = latest.current[event.key as KeyName];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
