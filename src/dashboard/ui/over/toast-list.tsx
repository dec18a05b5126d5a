/**
 * The messages that are shown. One that can be undone stays until the user undoes or closes it, because nobody knows how
 * long someone takes to read it and reach the button. Once it is old, it also goes when the user opens another screen or
 * does something else that is told, and when too many are open.
 */
import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { words } from "@/dashboard/words";
import { Icon } from "../layout";

const manager = Toast.createToastManager();

const SHOWN_MS = 6_000;
/** Does not end. */
const STAYS = 0;
const OLD_MS = 60_000;
const UNDOABLE_MAX = 3;
/** How many messages can be used at once. */
const SHOWN_MAX = 2 * UNDOABLE_MAX;

/** When each message that can be undone was shown, oldest first. */
const undoable = new Map<string, number>();

export interface ToastContent {
  text: string;
  /** Undoes the action. */
  undo?(): void;
  isFailure?: boolean;
}

export function show({ text, undo, isFailure }: ToastContent): void {
  closeOld();
  const id: string = manager.add({
    title: text,
    type: isFailure ? "bad" : "good",
    timeout: undo ? STAYS : SHOWN_MS,
    priority: isFailure ? "high" : "low",
    onClose: () => undoable.delete(id),
    ...(undo && {
      actionProps: {
        children: words.ui.undo,
        onClick() {
          manager.close(id);
          undo();
        },
      },
    }),
  });
  if (!undo) return;
  undoable.set(id, Date.now());
  const [oldest] = undoable.keys();
  if (oldest && undoable.size > UNDOABLE_MAX) manager.close(oldest);
}

function closeOld(): void {
  for (const [id, shownAt] of [...undoable]) if (Date.now() - shownAt >= OLD_MS) manager.close(id);
}

export const ToastList = () => (
  <Toast.Provider toastManager={manager} limit={SHOWN_MAX}>
    <Toast.Portal>
      <Toast.Viewport className="toasts">
        <Shown />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);

function Shown() {
  const { toasts } = Toast.useToastManager();
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each screen
  useEffect(closeOld, [path]);
  return toasts.map((each) => (
    <Toast.Root key={each.id} toast={each} className="toast" data-undo={each.actionProps && ""}>
      <Toast.Title className="toast-text" render={<div />} />
      {each.actionProps ? <Toast.Action className="toast-action" /> : null}
      <Toast.Close className="toast-action" aria-label={words.ui.close}>
        <Icon of={X} />
      </Toast.Close>
    </Toast.Root>
  ));
}
