import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { words } from "@/dashboard/words";
import { Icon } from "../layout";

const manager = Toast.createToastManager();

const SHOWN_MS = 6_000;
/** Milliseconds; long enough to read the message and decide. */
const UNDO_MS = 12_000;

export interface ToastContent {
  text: string;
  /** Undoes the action. */
  undo?(): void;
  isFailure?: boolean;
}

export function show({ text, undo, isFailure }: ToastContent): void {
  const id: string = manager.add({
    title: text,
    type: isFailure ? "bad" : "good",
    timeout: undo ? UNDO_MS : SHOWN_MS,
    priority: isFailure ? "high" : "low",
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
}

export const ToastList = () => (
  <Toast.Provider toastManager={manager}>
    <Toast.Portal>
      <Toast.Viewport className="toasts">
        <Shown />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);

function Shown() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((each) => (
    <Toast.Root key={each.id} toast={each} className="toast">
      <Toast.Title className="toast-text" render={<div />} />
      {each.actionProps ? <Toast.Action className="toast-action" /> : null}
      <Toast.Close className="toast-action" aria-label={words.ui.close}>
        <Icon of={X} />
      </Toast.Close>
    </Toast.Root>
  ));
}
