import { Bot } from "lucide-react";
import { memo } from "react";
import { Link as Anchor, useSearch } from "wouter";
import { type Clicked, UNKNOWN } from "../links/clicked";
import { Chip, ListRow } from "../ui/data";
import { clockText, dayText, momentText } from "../ui/format";
import { Grow, Row, Text } from "../ui/layout";
import { clickedName, decidedBy, hostOf, machineOf, placeOf, reasonName } from "./facts";
import type { Click } from "./queries";
import { liveWords as words } from "./words";

interface VisitRowProps {
  click: Click;
  clicked: Clicked | undefined;
  isCurrent: boolean;
}

export const VisitRow = memo(({ click, clicked = UNKNOWN, isCurrent }: VisitRowProps) => {
  const { live } = words;
  const { _id, occurredAt, route, isBot, botReasons } = click;
  const search = useSearch();
  return (
    <ListRow isCurrent={isCurrent} isInFull>
      <Grow>
        <Text strong oneLine foreign>
          <Anchor href={`/live/${_id}${search && `?${search}`}`}>
            {live.leads(clickedName(clicked), hostOf(route.destinationUrl))}
          </Anchor>
        </Text>
        <Text soft small oneLine foreign>
          {live.facts(timeText(occurredAt), placeOf(click), machineOf(click))}
        </Text>
      </Grow>
      <Row gap={1}>
        {isBot || botReasons.length > 0 ? (
          <Chip tone="warn" icon={Bot} title={botReasons.map(reasonName).join(", ")}>
            {botReasons[0] === undefined ? live.bot : reasonName(botReasons[0])}
          </Chip>
        ) : null}
        <Chip tone={route.kind === "default" ? undefined : "accent"}>{decidedBy(route, clicked)}</Chip>
      </Row>
    </ListRow>
  );
});

/** The latest visits may be of other days, which a time alone would not tell. */
const timeText = (at: string): string => (dayText(at) === dayText(Date.now()) ? clockText(at) : momentText(at));
