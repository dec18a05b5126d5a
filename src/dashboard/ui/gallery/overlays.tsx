/** Components that open above the screen. */
import { Link2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../button";
import { Confirm, Dialog, SecretDialog } from "../dialog";
import { Card, Row } from "../layout";
import { Menu } from "../menu";
import { toast } from "../toasts";

const nothing = () => {};

export function OverlayParts() {
  const [open, setOpen] = useState<"dialog" | "confirm" | "harmless" | "busy" | "once">();
  const close = () => setOpen(undefined);
  return (
    <Card title="Overlays">
      <Row wrap>
        <Button onClick={() => setOpen("dialog")}>Dialog</Button>
        <Button onClick={() => setOpen("confirm")}>Confirm</Button>
        <Button onClick={() => setOpen("harmless")}>Confirm what takes nothing away</Button>
        <Button onClick={() => setOpen("busy")}>Confirm, under way</Button>
        <Button onClick={() => setOpen("once")}>Shown once</Button>
        <Button onClick={() => toast({ text: "Paused", undo: nothing })}>Toast</Button>
        <Button onClick={() => toast({ text: "It failed", isFailure: true })}>Failure</Button>
        <Menu
          trigger={<Button>Menu</Button>}
          groups={[
            [
              { label: "First", icon: Link2 },
              { label: "Chosen", isChosen: true },
            ],
            [{ label: "Delete", danger: true }],
          ]}
        />
      </Row>
      {open === "dialog" ? (
        <Dialog title="A dialog" onClose={close} foot={<Button onClick={close}>Close</Button>}>
          <p>What it says.</p>
        </Dialog>
      ) : null}
      <Confirms {...{ open, close }} />
      {open === "once" ? (
        <SecretDialog
          title="Your key"
          text="Copy it now: it is not shown again."
          label="Key"
          secret="wm_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwT2pVnC5sHw0"
          onClose={close}
        />
      ) : null}
    </Card>
  );
}

function Confirms({ open, close }: { open: string | undefined; close(): void }) {
  const shared = { onConfirm: close, onClose: close };
  if (open === "confirm")
    return <Confirm {...shared} title="Delete?" text="It cannot be undone." act="Delete" name="acme" />;
  if (open === "harmless")
    return <Confirm {...shared} title="Restore?" text="Nothing is lost." act="Restore" kind="primary" />;
  return open === "busy" ? <Confirm {...shared} title="Leave?" text="You lose access." act="Leave" isBusy /> : null;
}
