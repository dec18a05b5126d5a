import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useRef } from "react";
import { isTypedIn } from "@/dashboard/drafts/typed";
import { words } from "@/dashboard/words";
import { IconButton } from "../button";
import { classes } from "../classes";
import type { DialogProps } from "../dialog";
import { useFocusAfter } from "../focus";

const FIRST_FIELD = ":is(input, textarea):not([type=hidden], [readonly], :disabled), select:not(:disabled)";

/**
 * Open as long as it is rendered; the URL or the caller's state controls that. Initially, the first field has the
 * focus, or the close button if there is no field. A click beside it, which may be a slip, does not close it if that
 * would lose what is typed. What is shown only once is closed by its buttons alone, none of which has the focus: an Enter
 * too many would close it unread.
 */
export function DialogBox({ title, onClose, children, foot, isWide, isBusy, isKept, initialFocus }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  useFocusAfter();
  const mayClose = (reason: string) =>
    !isBusy &&
    !(isKept && (reason === "outside-press" || reason === "escape-key")) &&
    !(reason === "outside-press" && popup.current !== null && isTypedIn(popup.current));
  const firstField = () => popup.current?.querySelector<HTMLElement>(FIRST_FIELD) ?? (isKept ? popup.current : true);
  return (
    <Base.Root open onOpenChange={(open, { reason }) => !open && mayClose(reason) && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup
          ref={popup}
          className={classes("dialog", isWide && "wide")}
          initialFocus={initialFocus ?? firstField}
        >
          <div className="row gap-2 apart">
            <Base.Title className="dialog-title" dir="auto">
              {title}
            </Base.Title>
            <Base.Close render={<IconButton icon={X} label={words.ui.close} small />} />
          </div>
          {children}
          {foot ? <div className="dialog-foot">{foot}</div> : null}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
