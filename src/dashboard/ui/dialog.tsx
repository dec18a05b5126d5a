import { lazy, type ReactNode, type RefObject, useState } from "react";
import { words } from "../words";
import { Button, CopyText } from "./button";
import { TextField } from "./field";
import { OverPart } from "./part";

export interface DialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
  /** Buttons, the one that does it last. */
  foot?: ReactNode;
  isWide?: boolean;
  /** Whether it may be closed without saying what becomes of it. */
  isBusy?: boolean;
  initialFocus?: RefObject<HTMLElement | null>;
}

const DialogBox = lazy(async () => ({ default: (await import("./over/dialog-box")).DialogBox }));

/** Open as long as it is rendered; its address or its caller's state says when that is. */
export const Dialog = (props: DialogProps) => (
  <OverPart onClose={props.onClose}>
    <DialogBox {...props} />
  </OverPart>
);

interface ShownOnceProps extends Pick<DialogProps, "title" | "onClose"> {
  /** What is to be done with it. */
  text: string;
  label: string;
  /** A key or an address that nobody can look up again. */
  secret: string;
  children?: ReactNode;
}

export const ShownOnce = ({ title, text, label, secret, children, onClose }: ShownOnceProps) => (
  <Dialog
    title={title}
    onClose={onClose}
    foot={
      <Button kind="primary" onClick={onClose}>
        {words.ui.done}
      </Button>
    }
  >
    <p>{text}</p>
    <CopyText label={label} text={secret} />
    {children}
  </Dialog>
);

interface ConfirmProps {
  title: string;
  /** What it does that cannot be taken back. */
  text: ReactNode;
  /** The button's words. */
  act: string;
  /** What takes nothing away is `primary`. */
  kind?: "danger" | "primary";
  /** Has to be typed first. */
  name?: string;
  isBusy?: boolean;
  onConfirm(): void;
  onClose(): void;
}

/** Before what has no Undo. */
export function Confirm({ title, text, act, kind = "danger", name, isBusy, onConfirm, onClose }: ConfirmProps) {
  const [typed, setTyped] = useState("");
  const isSure = name === undefined || typed.trim() === name;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isBusy={isBusy}
      foot={
        <>
          <Button onClick={onClose}>{words.ui.cancel}</Button>
          <Button kind={kind} disabled={!isSure} busy={isBusy} onClick={onConfirm}>
            {act}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {name === undefined ? null : (
        <TextField label={words.ui.typeToConfirm(name)} value={typed} onChange={setTyped} autoComplete="off" />
      )}
    </Dialog>
  );
}
