/** What keys open over any screen: the palette (⌘K), and the list of keys (`?`). */
import { lazy, Suspense, useEffect, useState } from "react";
import { useKeys } from "./keys";
import type { Org } from "./session";

type Command = "palette" | "keys";

const EVENT = "waymark-command";
const Palette = lazy(() => import("./palette"));
const KeyList = lazy(() => import("./key-list"));

export const openCommand = (command: Command): boolean =>
  document.dispatchEvent(new CustomEvent(EVENT, { detail: command }));

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
    document.addEventListener(EVENT, onCommand);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener(EVENT, onCommand);
      document.removeEventListener("keydown", onKey);
    };
  }, []);
  return (
    <Suspense>
      {open === "palette" ? <Palette org={org} onClose={close} /> : null}
      {open === "keys" ? <KeyList onClose={close} /> : null}
    </Suspense>
  );
}
