/**
 * Asks before a screen with unsaved changes is left: with a dialog for links, commands and shortcuts of the
 * dashboard, with the browser's own prompt for everything else.
 */
import { useEffect, useRef, useState } from "react";
import type { AroundNavHandler } from "wouter";
import { type Discard, discardUnsaved, unsaved } from "../drafts/unsaved";
import { Confirm } from "../ui/dialog";
import { words } from "../words";

type Go = () => void;

let ask: ((go: Go) => void) | undefined;

/** False for changes of the query, such as filters, which stay on the screen. */
const isElsewhere = (to: string | URL): boolean => {
  const text = String(to);
  return !text.startsWith("?") && new URL(text, location.href).pathname !== location.pathname;
};

export const aroundLeaving: AroundNavHandler = (navigate, to, options) => {
  const go = () => navigate(to, options);
  if (ask && unsaved.size > 0 && isElsewhere(to)) ask(go);
  else go();
};

/** Asks before leaving while the caller is rendered and unsaved. If the user leaves anyway, `giveUp` is called. */
export function useUnsaved(isUnsaved: boolean, giveUp: Discard): void {
  const newest = useRef(giveUp);
  newest.current = giveUp;
  useEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    unsaved.add(newest);
    addEventListener("beforeunload", warn);
    return () => {
      unsaved.delete(newest);
      removeEventListener("beforeunload", warn);
    };
  }, [isUnsaved]);
}

/** Rendered once, next to all screens. */
export function LeaveQuestion() {
  const [go, setGo] = useState<Go>();
  useEffect(() => {
    ask = (next) => setGo(() => next);
    return () => {
      ask = undefined;
    };
  }, []);
  if (!go) return null;
  return (
    <Confirm
      {...words.shell.leaving}
      onClose={() => setGo(undefined)}
      onConfirm={() => {
        discardUnsaved();
        setGo(undefined);
        go();
      }}
    />
  );
}
