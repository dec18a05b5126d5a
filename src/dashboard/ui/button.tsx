import type { LucideIcon } from "lucide-react";
import { Check, Copy, ExternalLink } from "lucide-react";
import { type ComponentProps, type MouseEventHandler, type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import { words } from "../words";
import { classes } from "./classes";
import { copyText } from "./clipboard";
import { Icon } from "./layout";

interface Look {
  kind?: "primary" | "danger" | "quiet";
  small?: boolean;
  /** Beside a large field. */
  large?: boolean;
  icon?: LucideIcon;
}

interface ButtonProps extends Look, Omit<ComponentProps<"button">, "className" | "children"> {
  children: ReactNode;
  /** Something it began is under way. */
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
    className={classes("button", kind, small && "small", large && "large")}
  >
    {icon ? <Icon of={icon} /> : null}
    {children}
  </button>
);

interface IconButtonProps extends Look, Omit<ComponentProps<"button">, "className" | "children"> {
  icon: LucideIcon;
  /** What it does, said and shown on hover. */
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
  /** A path of the dashboard, below the organization. */
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
  /** Begins with what is shown, where that alone does not say what it is of. */
  label?: string;
  children: ReactNode;
}

/** Leads out of the dashboard, which stays open. */
export const OutLink = ({ href, label, children }: OutLinkProps) => (
  <a href={href} target="_blank" rel="noopener noreferrer" aria-label={label} className="row gap-1">
    {children}
    <Icon of={ExternalLink} />
  </a>
);

interface DownloadProps extends Look {
  /** An address of the API below `/app`. */
  href: string;
  children: ReactNode;
}

/** Goes to the browser's own downloads, so that a large file never stands in the page's memory. */
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
    setCopied(await copyText(text));
  };
  return (
    <IconButton
      small={small}
      icon={isCopied ? Check : Copy}
      label={isCopied ? words.ui.copied : label}
      onClick={() => void copy()}
    />
  );
}

interface CopyTextProps {
  label: string;
  text: string;
  /** The same, easier to read. */
  shown?: string;
}

/** What is shown once, or is to be pasted elsewhere. */
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
