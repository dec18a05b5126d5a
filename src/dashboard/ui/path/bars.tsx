/** What holds fields and buttons together on a screen where much is edited at once. */
import { ArrowDown } from "lucide-react";
import { type KeyboardEventHandler, type ReactNode, useEffect, useRef } from "react";
import { useFaultInSight } from "../focus";
import { Icon } from "../layout";

interface SaveBarProps {
  children: ReactNode;
  label: string;
  /** What was refused. */
  error: unknown;
}

/** Stays in sight while something is unsaved. */
export function SaveBar({ children, label, error }: SaveBarProps) {
  useFaultInSight(error);
  return (
    <section className="save-bar" aria-label={label}>
      {children}
    </section>
  );
}

const LANDING = "beside";

/** Beside the main column, in sight as long as that one scrolls. */
export const Beside = ({ children, label }: { children: ReactNode; label: string }) => (
  <section id={LANDING} tabIndex={-1} className="beside" aria-label={label}>
    {children}
  </section>
);

/** Where the way beside leads to, if that is not all of what stands beside. */
export const Landing = ({ children }: { children: ReactNode }) => (
  <div id={LANDING} tabIndex={-1}>
    {children}
  </div>
);

/** Last in the main column: where what stands beside comes below it, leads there. The browser's Back leads back. */
export const WayBeside = ({ children }: { children: ReactNode }) => (
  <a href={`#${LANDING}`} className="way-beside">
    <Icon of={ArrowDown} />
    {children}
  </a>
);

/** Short fields beside each other, as many as fit. */
export const Fields = ({ children }: { children: ReactNode }) => <div className="fields">{children}</div>;

/** The fields of one thing among others, two in a line; the last has one to itself. */
export const FieldPairs = ({ children }: { children: ReactNode }) => <div className="target">{children}</div>;

interface PanelProps {
  label: string;
  children: ReactNode;
  /** Whether it takes the focus; it does when absent. */
  isFocused?: boolean;
  onEscape?(): void;
}

/** Unfolds where something is edited in place. */
export function Panel({ label, children, isFocused = true, onEscape }: PanelProps) {
  const box = useRef<HTMLFieldSetElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it unfolds
  useEffect(() => {
    if (!isFocused) return;
    const field = box.current?.querySelector<HTMLElement>("select, input");
    (field ?? box.current?.querySelector<HTMLElement>("button"))?.focus();
  }, []);
  const onKeyDown: KeyboardEventHandler = (event) => {
    if (event.key !== "Escape" || !onEscape) return;
    event.preventDefault();
    onEscape();
  };
  return (
    <fieldset className="panel" aria-label={label} ref={box} onKeyDown={onKeyDown}>
      <div className="stack gap-3">{children}</div>
    </fieldset>
  );
}

interface SectionProps {
  title: string;
  hint?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** Cards that belong together, under one title. */
export const Section = ({ title, hint, actions, children }: SectionProps) => (
  <section className="stack gap-3" aria-label={title}>
    <div className="row gap-2 wrap apart">
      <h2 className="heading">{title}</h2>
      {actions}
    </div>
    {hint ? <div className="soft small">{hint}</div> : null}
    {children}
  </section>
);
