/** Components that show data, or take its place while it is missing. */
import { CircleAlert, type LucideIcon, X } from "lucide-react";
import { type ComponentType, Fragment, type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { failureText } from "../api/failures";
import { words } from "../words";
import { Button } from "./button";
import { classes } from "./classes";
import { Hidden, Icon } from "./layout";
import { useBeyond } from "./wide";

type Tone = "good" | "warn" | "bad" | "accent";

interface ChipProps {
  children: ReactNode;
  tone?: Tone | undefined;
  icon?: LucideIcon;
  /** Additional text shown on hover. */
  title?: string;
  /** Never cut; the chips beside it are, if there is no room for all. */
  isWhole?: boolean;
  onRemove?(): void;
}

export const Chip = ({ children, tone, icon, title, isWhole, onRemove }: ChipProps) => {
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
      <span className={classes("chip", tone, isWhole && "whole")} title={title}>
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

/** Shows an error in the API's words, with a button to try again. */
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
  /** Explains the next step. */
  text?: ReactNode;
  /** A button, rarely two. */
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

interface ListRowProps {
  children: ReactNode;
  isCurrent?: boolean;
  /** On a phone, texts take the lines they need, and chips have a line of their own. */
  isInFull?: boolean;
}

/** One row of a list in a card without padding. */
export const ListRow = ({ children, isCurrent, isInFull }: ListRowProps) => (
  <div className={classes("list-row", isInFull && "in-full")} data-current={isCurrent}>
    {children}
  </div>
);

const BONE_WIDTHS = ["62%", "84%", "46%", "71%", "55%"];

/** Placeholder for rows that are being loaded. */
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

/** Marks the previous result until the new one has arrived. */
export const Settling = ({ isOld, gap = 4, children }: { isOld: boolean; gap?: 2 | 4; children: ReactNode }) => (
  <div className={classes(`stack gap-${gap}`, isOld && "old")} aria-busy={isOld || undefined}>
    {children}
  </div>
);

interface TabsProps {
  label: string;
  /** Paths relative to the organization. Of the tabs at or above the current path, the longest one is current. */
  tabs: readonly (readonly [path: string, text: string])[];
}

export const Tabs = ({ label, tabs }: TabsProps) => {
  const [at] = useLocation();
  const [current] = tabs
    .map(([path]) => path)
    .filter((path) => `${at}/`.startsWith(`${path}/`))
    .sort((a, b) => b.length - a.length);
  const bar = useRef<HTMLElement>(null);
  useBeyond(bar);
  // A phone shows only some of the tabs, so scroll to the current one.
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

interface More extends FailedMore {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
}

/** Button below a list that may have more pages. */
export function ShowMore({ of, text = words.ui.showMore }: { of: More; text?: string }) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = of;
  if (!hasNextPage) return null;
  if (isFetchNextPageError && !isFetchingNextPage) return <NoMore of={of} />;
  return (
    <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {text}
    </Button>
  );
}

interface FailedMore {
  isFetchNextPageError: boolean;
  error: unknown;
  fetchNextPage(): unknown;
}

/** Below a list whose next page could not be read. */
export const NoMore = ({ of: { isFetchNextPageError, error, fetchNextPage } }: { of: FailedMore }) =>
  isFetchNextPageError ? <Failure error={error} onRetry={() => void fetchNextPage()} /> : null;

interface PairsProps {
  of: readonly (readonly [name: string, value: ReactNode])[];
  /** Component that renders the names; plain text by default. */
  as?: ComponentType<{ children: ReactNode }>;
}

/** A list of names and values. */
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
