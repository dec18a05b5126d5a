import type { LucideIcon } from "lucide-react";
import { Check, Copy, ExternalLink } from "lucide-react";
import { type ComponentProps, type MouseEventHandler, type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import { words } from "../words";
import { classes } from "./classes";
import { copyText } from "./clipboard";
import { Icon } from "./layout";
import { toast } from "./toasts";

interface Look {
  kind?: "primary" | "danger" | "quiet";
  small?: boolean;
  /** Matches the height of a large field. */
  large?: boolean;
  icon?: LucideIcon;
}

interface ButtonProps extends Look, Omit<ComponentProps<"button">, "className" | "children"> {
  children: ReactNode;
  /** Its action is in progress; the button is disabled meanwhile. A button that has it acts once; see `watchActs`. */
  busy?: boolean;
}

export const Button = ({
  kind,
  small,
  large,
  icon,
  children,
  busy,
  disabled,
  type = "button",
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    type={type}
    disabled={disabled || busy}
    aria-busy={busy || undefined}
    data-acts={busy === undefined ? undefined : ""}
    className={classes("button", kind, small && "small", large && "large")}
  >
    {icon ? <Icon of={icon} /> : null}
    {children}
  </button>
);

interface IconButtonProps extends Look, Omit<ComponentProps<"button">, "className" | "children"> {
  icon: LucideIcon;
  /** What it does; read by screen readers and shown on hover. */
  label: string;
}

export const IconButton = ({ kind = "quiet", small, icon, label, type = "button", ...rest }: IconButtonProps) => (
  <button
    {...rest}
    type={type}
    aria-label={label}
    title={label}
    className={classes("button lone", kind, small && "small")}
  >
    <Icon of={icon} />
  </button>
);

interface LinkButtonProps extends Look {
  /** Dashboard path, relative to the organization. */
  to: string;
  children: ReactNode;
  onClick?: MouseEventHandler<HTMLAnchorElement>;
}

export const LinkButton = ({ kind, small, icon, to, children, onClick }: LinkButtonProps) => (
  <Link href={to} className={classes("button", kind, small && "small")} onClick={onClick}>
    {icon ? <Icon of={icon} /> : null}
    {children}
  </Link>
);

interface OutLinkProps {
  href: string;
  /** Accessible name that starts with the visible text, for a text that is ambiguous without its context. */
  label?: string;
  children: ReactNode;
}

/** Opens a page outside the dashboard in a new tab. */
export const OutLink = ({ href, label, children }: OutLinkProps) => (
  <a href={href} target="_blank" rel="noopener noreferrer" aria-label={label} className="row gap-1">
    {children}
    <Icon of={ExternalLink} />
  </a>
);

interface DownloadProps extends Look {
  /** API address below `/app`. */
  href: string;
  children: ReactNode;
}

/** Downloads through the browser, so that a large file is never held in the page's memory. */
export const Download = ({ kind, small, icon, href, children }: DownloadProps) => (
  <a href={href} download className={classes("button", kind, small && "small")}>
    {icon ? <Icon of={icon} /> : null}
    {children}
  </a>
);

const SAID_MS = 1_500;

export function CopyButton({ text, label = words.ui.copy, small }: { text: string; label?: string; small?: boolean }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    const isDone = await copyText(text);
    setCopied(isDone);
    if (!isDone) toast({ text: words.ui.notCopied, isFailure: true });
  };
  return (
    <>
      <IconButton
        small={small}
        icon={isCopied ? Check : Copy}
        label={isCopied ? words.ui.copied : label}
        onClick={() => void copy()}
      />
      {/* A screen reader does not read a button again whose name has changed. */}
      <span className="hidden" role="status">
        {isCopied ? words.ui.copied : null}
      </span>
    </>
  );
}

interface CopyTextProps {
  label: string;
  text: string;
  /** The same text in a more readable form. */
  shown?: string;
}

/** Text to copy: shown only once, or meant to be pasted elsewhere. */
export const CopyText = ({ label, text, shown = text }: CopyTextProps) => (
  <div className="field">
    <span className="label">{label}</span>
    <div className="row gap-2 top">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <pre className="code-block grow" tabIndex={0}>
        {shown}
      </pre>
      <CopyButton text={text} />
    </div>
  </div>
);
