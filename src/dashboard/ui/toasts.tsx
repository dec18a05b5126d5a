/**
 * Short messages about completed actions, with an undo button if possible. The component that shows them is loaded
 * with the first message.
 */
import { type ComponentType, useSyncExternalStore } from "react";
import type { ToastContent } from "./over/toast-list";

let List: ComponentType | undefined;
/** Milliseconds that a message without a close button is shown. */
const PLAIN_MS = 6_000;
const listeners = new Set<() => void>();

export function toast(told: ToastContent): void {
  import("./over/toast-list").then(
    ({ ToastList, show }) => {
      draw(ToastList);
      // Wait until the list has subscribed.
      setTimeout(show, 0, told);
    },
    () => {
      const plain = () => <Plain {...told} />;
      draw(plain);
      setTimeout(() => List === plain && draw(undefined), PLAIN_MS);
    },
  );
}

function draw(list: ComponentType | undefined): void {
  List = list;
  for (const listener of listeners) listener();
}

/** Shown if the list cannot be loaded. */
const Plain = ({ text, isFailure }: ToastContent) => (
  <div className="toasts" role={isFailure ? "alert" : "status"}>
    <div className="toast" data-type={isFailure ? "bad" : "good"}>
      <span className="toast-text">{text}</span>
    </div>
  </div>
);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const Toasts = () => {
  const Shown = useSyncExternalStore(subscribe, () => List);
  return Shown ? <Shown /> : null;
};
