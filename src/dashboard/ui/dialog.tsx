import { type ReactNode, type RefObject, useState } from "react";
import { words } from "../words";
import { Button, CopyText } from "./button";
import { TextField } from "./field";
import { lazyPart, OverPart } from "./part";

export interface DialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
  /** Buttons, with the main action last. */
  foot?: ReactNode;
  isWide?: boolean;
  /** An action is in progress, so the dialog must not be closed before its result is known. */
  isBusy?: boolean;
  /** Only its buttons close it. */
  isKept?: boolean;
  initialFocus?: RefObject<HTMLElement | null>;
}

const DialogBox = lazyPart(async () => ({ default: (await import("./over/dialog-box")).DialogBox }));

/** Open as long as it is rendered; the URL or the caller's state controls that. */
export const Dialog = (props: DialogProps) => (
  <OverPart onClose={props.onClose}>
    <DialogBox {...props} />
  </OverPart>
);

interface ShownOnceProps extends Pick<DialogProps, "title" | "onClose"> {
  /** Says what to do with the secret. */
  text: string;
  label: string;
  /** A key or address that cannot be shown again. */
  secret: string;
  children?: ReactNode;
}

export const SecretDialog = ({ title, text, label, secret, children, onClose }: ShownOnceProps) => (
  <Dialog
    title={title}
    onClose={onClose}
    isKept
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
  /** Explains the effect that cannot be undone. */
  text: ReactNode;
  /** Text of the button. */
  act: string;
  /** `primary` for actions that remove nothing. */
  kind?: "danger" | "primary";
  /** Text that has to be typed to enable the button. */
  name?: string;
  isBusy?: boolean;
  onConfirm(): void;
  onClose(): void;
}

/** Asks for confirmation before an action that cannot be undone. */
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
          <Button disabled={isBusy} onClick={onClose}>
            {words.ui.cancel}
          </Button>
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
