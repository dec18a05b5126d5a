/** How what is known is shown, and what stands there while it is not. */
import { CircleAlert, type LucideIcon, X } from "lucide-react";
import { type ComponentType, Fragment, type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { failureText } from "../api/failures";
import { words } from "../words";
import { Button } from "./button";
import { classes } from "./classes";
import { Hidden, Icon } from "./layout";

type Tone = "good" | "warn" | "bad" | "accent";

interface ChipProps {
  children: ReactNode;
  tone?: Tone | undefined;
  icon?: LucideIcon;
  /** Says more on hover. */
  title?: string;
  onRemove?(): void;
}

export const Chip = ({ children, tone, icon, title, onRemove }: ChipProps) => {
  const content = (
    <>
      {icon ? <Icon of={icon} /> : null}
      <span className="one-line" dir="auto">
        {children}
      </span>
    </>
  );
  if (!onRemove) {
    return (
      <span className={classes("chip", tone)} title={title}>
        {content}
      </span>
    );
  }
  return (
    <button type="button" className={classes("chip", tone)} title={title} onClick={onRemove}>
      {content}
      <Icon of={X} />
      <Hidden>{words.ui.remove}</Hidden>
    </button>
  );
};

export const Notice = ({
  tone,
  icon = CircleAlert,
  children,
}: {
  tone?: Tone;
  icon?: LucideIcon;
  children: ReactNode;
}) => (
  <div className={classes("notice", tone)} role={tone === "bad" ? "alert" : "status"}>
    <Icon of={icon} />
    <div className="grow">{children}</div>
  </div>
);

/** What failed, in the API's words, and the way to try again. */
export const Failure = ({ error, onRetry }: { error: unknown; onRetry?(): void }) => (
  <Notice tone="bad">
    <div className="row gap-3 wrap apart">
      <span>{failureText(error)}</span>
      {onRetry ? (
        <Button small onClick={onRetry}>
          {words.ui.retry}
        </Button>
      ) : null}
    </div>
  </Notice>
);

interface EmptyProps {
  icon: LucideIcon;
  title: string;
  /** Teaches the next step. */
  text?: ReactNode;
  /** One button. */
  action?: ReactNode;
}

export const Empty = ({ icon, title, text, action }: EmptyProps) => (
  <div className="empty">
    <Icon of={icon} />
    <h2 className="heading">{title}</h2>
    {text ? <p className="soft">{text}</p> : null}
    {action}
  </div>
);

/** One of several rows in a card without padding. */
export const ListRow = ({ children, isCurrent }: { children: ReactNode; isCurrent?: boolean }) => (
  <div className="list-row" data-current={isCurrent}>
    {children}
  </div>
);

const BONE_WIDTHS = ["62%", "84%", "46%", "71%", "55%"];

/** Keeps the place of rows that are on their way. */
export const Skeleton = ({ rows = 5 }: { rows?: number }) => (
  <div role="status">
    <Hidden>{words.ui.loading}</Hidden>
    {Array.from({ length: rows }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <div key={row} className="list-row">
        <span className="bone" style={{ width: BONE_WIDTHS[row % BONE_WIDTHS.length] }} />
      </div>
    ))}
  </div>
);

interface TabsProps {
  label: string;
  /** Paths below the organization; of those that the address is at or below, the longest is the current one. */
  tabs: readonly (readonly [path: string, text: string])[];
}

export const Tabs = ({ label, tabs }: TabsProps) => {
  const [at] = useLocation();
  const [current] = tabs
    .map(([path]) => path)
    .filter((path) => `${at}/`.startsWith(`${path}/`))
    .sort((a, b) => b.length - a.length);
  const bar = useRef<HTMLElement>(null);
  // A phone shows some of them: the current one is to be among those.
  useEffect(() => {
    const tab = bar.current?.querySelector<HTMLElement>(`[aria-current="page"]`);
    if (current && tab) tab.parentElement?.scrollTo({ left: tab.offsetLeft - tab.offsetWidth });
  }, [current]);
  return (
    <nav className="tabs" aria-label={label} ref={bar}>
      {tabs.map(([path, text]) => (
        <Link key={path} href={path} className="tab" aria-current={path === current ? "page" : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  );
};

interface More {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

/** Below a list that may go on. */
export const ShowMore = ({ of: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { of: More }) =>
  hasNextPage ? (
    <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {words.ui.showMore}
    </Button>
  ) : null;

interface PairsProps {
  of: readonly (readonly [name: string, value: ReactNode])[];
  /** What shows the names; plain text without it. */
  as?: ComponentType<{ children: ReactNode }>;
}

/** Names and what they are. */
export const Pairs = ({ of, as: Name = Fragment }: PairsProps) => (
  <dl className="pairs">
    {of.map(([name, value]) => (
      <div key={name} style={{ display: "contents" }}>
        <dt>
          <Name>{name}</Name>
        </dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

export const Keys = ({ children }: { children: ReactNode }) => <kbd className="keys">{children}</kbd>;
