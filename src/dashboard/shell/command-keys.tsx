/** What opens over any screen: the palette (⌘K), the list of shortcuts (`?`), and the requests behind the screen. */
import { useEffect, useState } from "react";
import { lazyPart, OverPart } from "../ui/part";
import { COMMAND_EVENT, type Command } from "./commands";
import { useKeys } from "./keys";
import type { Org } from "./session";

const Palette = lazyPart(() => import("./palette"));
const KeyList = lazyPart(() => import("./key-list"));
const CurlDialog = lazyPart(() => import("./curl-dialog"));

export function CommandKeys({ org }: { org: Org }) {
  const [open, setOpen] = useState<Command>();
  const close = () => setOpen(undefined);
  useKeys({ "?": () => setOpen("keys") });
  useEffect(() => {
    const onCommand = (event: Event) => setOpen(event instanceof CustomEvent ? event.detail : undefined);
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      setOpen((now) => (now === "palette" ? undefined : "palette"));
    };
    document.addEventListener(COMMAND_EVENT, onCommand);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener(COMMAND_EVENT, onCommand);
      document.removeEventListener("keydown", onKey);
    };
  }, []);
  return (
    <OverPart key={open} onClose={close}>
      {open === "palette" ? <Palette org={org} onClose={close} /> : null}
      {open === "keys" ? <KeyList onClose={close} /> : null}
      {open === "curl" ? <CurlDialog onClose={close} /> : null}
    </OverPart>
  );
}
