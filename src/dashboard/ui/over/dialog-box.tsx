import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { words } from "@/dashboard/words";
import { IconButton } from "../button";
import { classes } from "../classes";
import type { DialogProps } from "../dialog";

/** Open as long as it is rendered; its address or its caller's state says when that is. */
export const DialogBox = ({ title, onClose, children, foot, isWide, isBusy, initialFocus }: DialogProps) => (
  <Base.Root open onOpenChange={(open) => !open && !isBusy && onClose()}>
    <Base.Portal>
      <Base.Backdrop className="backdrop" />
      <Base.Popup className={classes("dialog", isWide && "wide")} initialFocus={initialFocus}>
        <div className="row gap-2 apart">
          <Base.Title className="dialog-title">{title}</Base.Title>
          <Base.Close render={<IconButton icon={X} label={words.ui.close} small />} />
        </div>
        {children}
        {foot ? <div className="dialog-foot">{foot}</div> : null}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);
