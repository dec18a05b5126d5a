/** Components for computed findings: the claim, its weight, what to do, and the evidence. */
import { Fragment, type ReactNode, useEffect, useRef, useState } from "react";
import { Chip } from "../data";

/** Distance from the viewport at which the content is rendered. */
const MARGIN = "160px";

/**
 * Renders its children, and thus makes their requests, only once they are about to be scrolled into view, or to be
 * printed. A browser does not wait for them: what has not loaded is left out, and is there when it prints again.
 */
export function RenderOnceVisible({ name, children, until }: { name: string; children: ReactNode; until: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(() => seenBefore().includes(name));
  useEffect(() => {
    if (isSeen) noteSeen(name);
  });
  useEffect(() => {
    const { current } = place;
    if (!current || isSeen) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: MARGIN },
    );
    observer.observe(current);
    const show = () => setSeen(true);
    addEventListener("beforeprint", show);
    return () => {
      observer.disconnect();
      removeEventListener("beforeprint", show);
    };
  }, [isSeen]);
  return <div ref={place}>{isSeen ? children : until}</div>;
}

/**
 * Names of what has been seen, kept with the entry of the browser's history: a screen to which the browser goes back is
 * as long as it was, so that it can scroll to where it was left.
 */
const seenBefore = (): readonly string[] => Object(history.state).seen ?? [];

function noteSeen(name: string): void {
  const seen = seenBefore();
  if (!seen.includes(name)) history.replaceState({ ...history.state, seen: [...seen, name] }, "");
}

export const Collapsible = ({ title, isOpen, children }: { title: string; isOpen?: boolean; children: ReactNode }) => (
  <details className="fold" open={isOpen}>
    <summary>{title}</summary>
    {children}
  </details>
);

export const BulletList = ({ texts }: { texts: readonly string[] }) => (
  <ul className="points">
    {texts.map((text) => (
      <li key={text} dir="auto">
        <BacktickText text={text} />
      </li>
    ))}
  </ul>
);

/** Renders the names that the API's sentences put between backticks. */
export const BacktickText = ({ text }: { text: string }) =>
  text.split("`").map((part, index) => {
    const key = `${index} ${part}`;
    return index % 2 === 1 ? <strong key={key}>{part}</strong> : <Fragment key={key}>{part}</Fragment>;
  });

interface FindingProps {
  title: string;
  text: string;
  /** What to do. */
  advice?: string;
  chips?: readonly { text: string; tone?: "good" | "warn" | "bad" | undefined }[];
  children?: ReactNode;
}

export const Finding = ({ title, text, advice, chips = [], children }: FindingProps) => (
  <article className="finding">
    <div className="row gap-2 wrap">
      <h3 className="heading" dir="auto">
        <BacktickText text={title} />
      </h3>
      {chips.map((chip) => (
        <Chip key={chip.text} tone={chip.tone}>
          {chip.text}
        </Chip>
      ))}
    </div>
    {text ? (
      <p dir="auto">
        <BacktickText text={text} />
      </p>
    ) : null}
    {advice ? (
      <p className="soft" dir="auto">
        <BacktickText text={advice} />
      </p>
    ) : null}
    {children}
  </article>
);
