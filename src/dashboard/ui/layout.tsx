/** Layout components. Screens use no class names of their own; everything about their looks has a component here. */
import type { LucideIcon } from "lucide-react";
import { createContext, type ReactNode, useContext, useEffect } from "react";
import { classes } from "./classes";

type Gap = 1 | 2 | 3 | 4 | 6;

interface Within {
  children: ReactNode;
  gap?: Gap;
}

export const Stack = ({ children, gap = 4 }: Within) => <div className={`stack gap-${gap}`}>{children}</div>;

interface RowProps extends Within {
  wrap?: boolean;
  /** Moves the first and last child to the edges. */
  apart?: boolean;
  top?: boolean;
}

export const Row = ({ children, gap = 2, wrap, apart, top }: RowProps) => (
  <div className={classes("row", `gap-${gap}`, wrap && "wrap", apart && "apart", top && "top")}>{children}</div>
);

/** Stays in sight while what is below it scrolls. */
export const StickyBar = ({ children }: Pick<Within, "children">) => (
  <div className="sticky-bar row gap-2 wrap">{children}</div>
);

/** Takes the remaining space in a row. */
export const Grow = ({ children }: { children?: ReactNode }) => <div className="grow">{children}</div>;

interface ColumnsProps {
  children: ReactNode;
  /** On narrow screens, places the second column above the main one. */
  asideFirst?: boolean;
}

/** A main column with a second one beside it, or below it on narrow screens. */
export const Columns = ({ children, asideFirst }: ColumnsProps) => (
  <div className={classes("columns", asideFirst && "aside-first")}>{children}</div>
);

/** Cards side by side, as many as fit. */
export const Grid = ({ children, wide }: { children: ReactNode; wide?: boolean }) => (
  <div className={classes("grid", wide && "wide")}>{children}</div>
);

interface ScreenProps {
  title: string;
  /** Buttons at the end of the title line. */
  actions?: ReactNode;
  /** Shown above the title, as a way back. */
  before?: ReactNode;
  children: ReactNode;
}

/** The service's name, which the page has as its title before any screen is shown. */
const SERVICE = document.title;

/** Tools that every screen shows at the end of its title line. */
export const HeadTools = createContext<ReactNode>(null);

export const Screen = ({ title, actions, before, children }: ScreenProps) => {
  const tools = useContext(HeadTools);
  useEffect(() => {
    document.title = `${title} · ${SERVICE}`;
  }, [title]);
  return (
    <div className="page">
      <div className="page-head">
        <div className="stack gap-1">
          {before}
          <h1 className="title" dir="auto">
            {title}
          </h1>
        </div>
        {actions || tools ? (
          <div className="row gap-2 wrap">
            {actions}
            {tools}
          </div>
        ) : null}
      </div>
      {children}
    </div>
  );
};

interface CardProps {
  title?: ReactNode;
  actions?: ReactNode;
  /** False if the content reaches the edges, such as the rows of a list. */
  padded?: boolean;
  children: ReactNode;
}

export const Card = ({ title, actions, padded = true, children }: CardProps) => (
  <section className="card">
    {title ? (
      <div className="card-head">
        <h2 className="heading">{title}</h2>
        {actions ? <div className="row gap-2">{actions}</div> : null}
      </div>
    ) : null}
    <div className={classes(padded && "padded")}>{children}</div>
  </section>
);

interface TextProps {
  children: ReactNode;
  soft?: boolean;
  small?: boolean;
  strong?: boolean;
  /** Cuts off long text with an ellipsis. */
  oneLine?: boolean;
  /** Read by screen readers when it changes. */
  isStatus?: boolean;
  /** User-supplied text, which keeps its own writing direction. */
  foreign?: boolean;
}

export const Text = ({ children, soft, small, strong, oneLine, isStatus, foreign }: TextProps) => (
  <div
    className={classes(soft && "soft", small && "small", strong && "strong", oneLine && "one-line")}
    role={isStatus ? "status" : undefined}
    dir={foreign ? "auto" : undefined}
    title={oneLine && typeof children === "string" ? children : undefined}
  >
    {children}
  </div>
);

/** Within a card. */
export const Heading = ({ children }: Pick<Within, "children">) => <h3 className="heading">{children}</h3>;

/** Above cards. */
export const CardsHeading = ({ children }: Pick<Within, "children">) => <h2 className="heading">{children}</h2>;

export const Figure = ({ children }: { children: ReactNode }) => <div className="figure">{children}</div>;

export const Code = ({ children }: { children: ReactNode }) => <code className="code">{children}</code>;

export const CodeBlock = ({ children }: { children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
  <pre className="code-block" tabIndex={0}>
    {children}
  </pre>
);

export const Icon = ({ of: Drawn }: { of: LucideIcon }) => <Drawn className="icon" aria-hidden />;

/** An image that fills the available width, on a white background like paper. */
export const Picture = ({ src, alt }: { src: string; alt: string }) => <img className="picture" src={src} alt={alt} />;

/** App icon shown next to the app's name, so it needs no text of its own. */
export const AppIcon = ({ src }: { src: string }) => (
  <img className="app-icon" src={src} alt="" width={40} height={40} loading="lazy" />
);

/** Shown only on wide screens; on a phone, the same information must be available otherwise. */
export const OnlyWide = ({ children }: { children: ReactNode }) => <span className="only-wide">{children}</span>;

/** Printed if cards had not loaded yet, which are left out. */
export const MissingOnPaper = ({ children }: { children: ReactNode }) => <p className="missing-on-paper">{children}</p>;

/** Content for screen readers only. */
export const Hidden = ({ children }: { children: ReactNode }) => <span className="hidden">{children}</span>;
