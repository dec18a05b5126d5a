/**
 * Keeps the input of forms that create something beyond their screens, so that it is still there when the user returns.
 * It is kept until it has been sent or the page is reloaded; leaving takes no question, because nothing is lost.
 */
import { useSyncExternalStore } from "react";
import { holdPageWhile } from "./only-copy";
import { isSame } from "./rebase";

/** Input by name of the form. */
const kept = new Map<string, object>();
const listeners = new Set<() => void>();
holdPageWhile(() => kept.size > 0);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export interface KeptInput<Values> {
  values: Values;
  set(next: Partial<Values>): void;
  /** Also works later, such as after a request, when the form may have been left. */
  edit(change: (before: Values) => Values): void;
  /** Call once the input has been sent, or is given up. */
  clear(): void;
}

/** State of a form, which starts `blank`. Each name belongs to exactly one form. */
export function useKeptInput<Values extends object>(name: string, blank: Values): KeptInput<Values> {
  const read = () => (kept.get(name) ?? blank) as Values;
  const edit = (change: (before: Values) => Values) => {
    const values = change(read());
    if (isSame(values, blank)) kept.delete(name);
    else kept.set(name, values);
    for (const listener of listeners) listener();
  };
  return {
    ...{ values: useSyncExternalStore(subscribe, read), edit },
    set: (next) => edit((before) => ({ ...before, ...next })),
    clear: () => edit(() => blank),
  };
}
