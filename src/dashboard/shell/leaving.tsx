/**
 * What is unsaved asks before its screen is left: links, commands and keys of the dashboard by a dialog, the browser's own
 * ways out by the browser's own question.
 */
import { useEffect, useRef, useState } from "react";
import type { AroundNavHandler } from "wouter";
import { Confirm } from "../ui/dialog";
import { words } from "../words";

type Go = () => void;

/** What is unsaved, each with what gives it up. */
const unsaved = new Set<{ current: Go }>();
let ask: ((go: Go) => void) | undefined;

/** Filters and the like stay on the screen. */
const isElsewhere = (to: string | URL): boolean => {
  const text = String(to);
  return !text.startsWith("?") && new URL(text, location.href).pathname !== location.pathname;
};

export const aroundLeaving: AroundNavHandler = (navigate, to, options) => {
  const go = () => navigate(to, options);
  if (ask && unsaved.size > 0 && isElsewhere(to)) ask(go);
  else go();
};

/** As long as it is shown and unsaved, leaving asks; whoever leaves gives it up. */
export function useUnsaved(isUnsaved: boolean, giveUp: Go): void {
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

/** Stands around all screens. */
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
        for (const { current: giveUp } of unsaved) giveUp();
        unsaved.clear();
        setGo(undefined);
        go();
      }}
    />
  );
}
