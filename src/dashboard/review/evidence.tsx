/** A click or a group of clicks: what it is, why it is suspicious, and the possible verdicts. */
import { Ban, RotateCcw, UserCheck } from "lucide-react";
import type { ReactNode } from "react";
import { reasonName } from "../live/facts";
import { useOrg } from "../shell/session";
import { Button } from "../ui/button";
import { Chip, ListRow } from "../ui/data";
import { Grow, OnlyWide, Row, Stack, Text } from "../ui/layout";
import type { Verdict } from "./queries";
import { reviewWords as words } from "./words";

export const ROW_PX = 88;

const ICONS = { confirmed: Ban, dismissed: UserCheck, pending: RotateCcw };
const VERDICTS = ["confirmed", "dismissed", "pending"] as const;
const TONES = { confirmed: "bad", dismissed: "good", pending: undefined } as const;

interface EvidenceProps {
  /** A link, if there is something to open. */
  title: ReactNode;
  /** The title as text. */
  name: string;
  facts: string;
  reasons: readonly string[];
  score: number;
  status: Verdict;
  /** For lists with several statuses. */
  isStatusShown?: boolean;
  isCurrent: boolean;
  /** Undefined if no verdict is possible. */
  onJudge: ((verdict: Verdict) => void) | undefined;
}

export const Evidence = ({
  title,
  name,
  facts,
  reasons,
  score,
  status,
  isStatusShown,
  isCurrent,
  onJudge,
}: EvidenceProps) => {
  const { review } = words;
  const { may } = useOrg();
  const why = reasons.map(reasonName).join(", ");
  return (
    <ListRow isCurrent={isCurrent} isInFull>
      <Grow>
        <Stack gap={1}>
          <Text strong oneLine foreign>
            {title}
          </Text>
          <Text soft small oneLine foreign>
            {facts}
          </Text>
          <Row gap={1}>
            <Chip tone="warn" title={why}>
              {why}
            </Chip>
            {isStatusShown && status !== "pending" ? (
              <>
                <OnlyWide>
                  <Chip isWhole>{review.score(score)}</Chip>
                </OnlyWide>
                <Chip icon={ICONS[status]} tone={TONES[status]} isWhole>
                  {review.statuses[status]}
                </Chip>
              </>
            ) : (
              <Chip isWhole>{review.score(score)}</Chip>
            )}
          </Row>
        </Stack>
      </Grow>
      {may("member") && onJudge
        ? VERDICTS.filter((verdict) => verdict !== status).map((verdict) => (
            <Button
              key={verdict}
              small
              icon={ICONS[verdict]}
              aria-label={review.actOn[verdict](name)}
              title={review.actOn[verdict](name)}
              onClick={() => onJudge(verdict)}
            >
              <OnlyWide>{review.acts[verdict]}</OnlyWide>
            </Button>
          ))
        : null}
    </ListRow>
  );
};
