/**
 * Short messages about what was done, with the way back where there is one. What shows them is fetched with the first one.
 */
import { type ComponentType, useSyncExternalStore } from "react";
import type { Told } from "./toast-list";

let List: ComponentType | undefined;
const listeners = new Set<() => void>();

export function toast(told: Told): void {
  void import("./toast-list").then(({ ToastList, show }) => {
    List = ToastList;
    for (const listener of listeners) listener();
    // Once it listens.
    setTimeout(show, 0, told);
  });
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const Toasts = () => {
  const Shown = useSyncExternalStore(subscribe, () => List);
  return Shown ? <Shown /> : null;
};
