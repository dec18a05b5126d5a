/**
 * Asks before a screen with unsaved changes is left through links, commands and shortcuts of the dashboard. For
 * everything else, there is the browser's own prompt: see `keepDraft`.
 */
import { useEffect, useRef, useState } from "react";
import type { AroundNavHandler } from "wouter";
import { type Discard, discardUnsaved, unsaved } from "../drafts/unsaved";
import { Confirm } from "../ui/dialog";
import { noteOpening } from "../ui/focus";
import { words } from "../words";

type Go = () => void;

let ask: ((go: Go) => void) | undefined;

/** False for changes of the query, such as filters, which stay on the screen. */
const isElsewhere = (to: string | URL): boolean => {
  const text = String(to);
  return !text.startsWith("?") && new URL(text, location.href).pathname !== location.pathname;
};

export const aroundLeaving: AroundNavHandler = (navigate, to, options) => {
  const go = () => {
    if (isElsewhere(to)) noteOpening();
    navigate(to, options);
  };
  if (ask && unsaved.size > 0 && isElsewhere(to)) ask(go);
  else go();
};

/** Asks before leaving while the caller is rendered and unsaved. If the user leaves anyway, `giveUp` is called. */
export function useUnsaved(isUnsaved: boolean, giveUp: Discard): void {
  const newest = useRef(giveUp);
  newest.current = giveUp;
  useEffect(() => {
    if (!isUnsaved) return;
    unsaved.add(newest);
    return () => {
      unsaved.delete(newest);
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
