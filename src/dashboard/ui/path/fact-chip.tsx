import { Check, type LucideIcon, X } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "../classes";
import { Hidden, Icon } from "../layout";

interface FactChipProps {
  name: string;
  value: string;
  /** The result for a visitor, and the visitor's actual value. */
  verdict?: { isGood: boolean; word: string; text: string } | undefined;
  /** Opens the editor of the condition. */
  onEdit?: (() => void) | undefined;
  isOpen?: boolean;
  isFaulty?: boolean;
}

/** A condition. Its text is never cut off, but wraps onto as many lines as it needs. */
export const FactChip = ({ name, value, verdict, onEdit, isOpen, isFaulty }: FactChipProps) => {
  const className = classes("fact", isFaulty ? "bad" : verdict && (verdict.isGood ? "good" : "bad"));
  const icon: LucideIcon | undefined = verdict && (verdict.isGood ? Check : X);
  const content: ReactNode = (
    <>
      {icon ? <Icon of={icon} /> : null}
      <span>
        <span className="fact-name">{name}</span> <bdi>{value}</bdi>
        {verdict ? (
          <>
            <Hidden>{verdict.word}</Hidden> <span className="fact-actual">{verdict.text}</span>
          </>
        ) : null}
      </span>
    </>
  );
  if (!onEdit) return <span className={className}>{content}</span>;
  return (
    <button
      type="button"
      className={className}
      aria-expanded={isOpen}
      data-faulty={isFaulty || undefined}
      onClick={onEdit}
    >
      {content}
    </button>
  );
};
