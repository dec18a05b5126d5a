/** Containers for fields and buttons on a screen with many editable parts. */
import { ArrowDown } from "lucide-react";
import { type KeyboardEventHandler, type ReactNode, useEffect, useRef } from "react";
import { useScrollToFault } from "../focus";
import { Icon } from "../layout";

interface SaveBarProps {
  children: ReactNode;
  label: string;
  /** The error of the last save. */
  error: unknown;
}

/** Stays visible while there are unsaved changes. */
export function SaveBar({ children, label, error }: SaveBarProps) {
  useScrollToFault(error);
  return (
    <section className="save-bar" aria-label={label}>
      {children}
    </section>
  );
}

const LANDING = "beside";

/** A column beside the main one, which stays visible while the main one scrolls. */
export const SideColumn = ({ children, label }: { children: ReactNode; label: string }) => (
  <section id={LANDING} tabIndex={-1} className="beside" aria-label={label}>
    {children}
  </section>
);

/** The target of `JumpToSide`, if that is only part of the column beside. */
export const SideAnchor = ({ children }: { children: ReactNode }) => (
  <div id={LANDING} tabIndex={-1}>
    {children}
  </div>
);

/**
 * Last element of the main column: where the other column comes below it, links to that column. The browser's Back
 * returns.
 */
export const JumpToSide = ({ children }: { children: ReactNode }) => (
  <a href={`#${LANDING}`} className="way-beside">
    <Icon of={ArrowDown} />
    {children}
  </a>
);

/** Short fields side by side, as many as fit. */
export const Fields = ({ children }: { children: ReactNode }) => <div className="fields">{children}</div>;

/** The fields of one item in a list, two per line; the last field has its own line. */
export const FieldPairs = ({ children }: { children: ReactNode }) => <div className="target">{children}</div>;

interface PanelProps {
  label: string;
  children: ReactNode;
  /** True by default: moves the focus to its first field. */
  isFocused?: boolean;
  onEscape?(): void;
}

/** A panel that unfolds to edit something in place. */
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
