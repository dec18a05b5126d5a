/**
 * What is unsaved asks before its screen is left: links, commands and keys of the dashboard by a dialog, the browser's own
 * ways out by the browser's own question.
 */
import { useEffect, useState } from "react";
import type { AroundNavHandler } from "wouter";
import { Confirm } from "../ui/dialog";
import { words } from "../words";

type Go = () => void;

/** Set while something is unsaved. */
let ask: ((go: Go) => void) | undefined;

/** Filters and the like stay on the screen. */
const isElsewhere = (to: string | URL): boolean => {
  const text = String(to);
  return !text.startsWith("?") && new URL(text, location.href).pathname !== location.pathname;
};

export const aroundLeaving: AroundNavHandler = (navigate, to, options) => {
  const go = () => navigate(to, options);
  if (ask && isElsewhere(to)) ask(go);
  else go();
};

export function LeaveGuard({ text, onLeave }: { text: string; onLeave(): void }) {
  const [go, setGo] = useState<Go>();
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    ask = (next) => setGo(() => next);
    addEventListener("beforeunload", warn);
    return () => {
      ask = undefined;
      removeEventListener("beforeunload", warn);
    };
  }, []);
  if (!go) return null;
  const { saving } = words.route;
  return (
    <Confirm
      {...{ title: saving.leave, text, act: saving.leaveAct }}
      onClose={() => setGo(undefined)}
      onConfirm={() => {
        ask = undefined;
        onLeave();
        setGo(undefined);
        go();
      }}
    />
  );
}
