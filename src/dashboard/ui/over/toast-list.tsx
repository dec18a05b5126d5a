/**
 * The messages that are shown. One that can be undone stays until the user undoes or closes it, and a failure until they
 * close it, because nobody knows how long someone takes to read it and reach the button. Once it is old, it also goes
 * when the user opens another screen or does something else that is told, and when too many of its kind are open.
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
/** When a message that stays is old. A failure makes room for what the user does next, such as trying again. */
const OLD_MS = { undo: 60_000, failure: SHOWN_MS };
/** Of each kind. */
const STAYING_MAX = 3;
/** How many messages can be used at once. */
const SHOWN_MAX = 3 * STAYING_MAX;

interface Staying {
  kind: keyof typeof OLD_MS;
  shownAt: number;
}

/** The messages that stay, oldest first. */
const staying = new Map<string, Staying>();

export interface ToastContent {
  text: string;
  /** Undoes the action. */
  undo?(): void;
  isFailure?: boolean;
}

export function show({ text, undo, isFailure }: ToastContent): void {
  closeOld();
  const kind = undo ? "undo" : isFailure ? "failure" : undefined;
  const id: string = manager.add({
    title: text,
    type: isFailure ? "bad" : "good",
    timeout: kind ? STAYS : SHOWN_MS,
    priority: isFailure ? "high" : "low",
    onClose: () => staying.delete(id),
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
  if (!kind) return;
  staying.set(id, { kind, shownAt: Date.now() });
  const alike = [...staying].filter(([, each]) => each.kind === kind);
  const [oldest] = alike;
  if (oldest && alike.length > STAYING_MAX) manager.close(oldest[0]);
}

function closeOld(): void {
  for (const [id, { kind, shownAt }] of [...staying]) if (Date.now() - shownAt >= OLD_MS[kind]) manager.close(id);
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
