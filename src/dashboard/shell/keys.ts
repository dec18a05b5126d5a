/**
 * Keyboard shortcuts of the screens; each key has an entry in the list that `?` shows. They do nothing while the user
 * types.
 */
import { useEffect, useRef } from "react";

export type KeyName = "c" | "e" | "/" | "j" | "k" | "x" | "o" | "y" | "n" | "?" | "t";

type Actions = Partial<Record<KeyName, () => void>>;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && target.type === "checkbox");

/** Active while the caller is rendered and no dialog is open. */
export function useKeys(actions: Actions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      // A toast also has the role of a dialog, but does not block shortcuts.
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
