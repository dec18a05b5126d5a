import { Bot } from "lucide-react";
import { memo } from "react";
import { Link as Anchor, useSearch } from "wouter";
import { ApiFailure } from "../api/failures";
import { useLink } from "../links/queries";
import { Chip, ListRow } from "../ui/data";
import { clockText } from "../ui/format";
import { Grow, Row, Text } from "../ui/layout";
import { words } from "../words";
import { decidedBy, hostOf, machineOf, placeOf, reasonName } from "./facts";
import type { Click } from "./queries";

/** Returns a click's link and its name. Clicks contain only the link's id; each link is requested once. */
export function useClickedLink(linkId: string) {
  const { data: link, error } = useLink(linkId);
  const isDeleted = error instanceof ApiFailure && error.status === 404;
  return { link, name: link ? link.title || link.slug : isDeleted ? words.live.deletedLink : "…" };
}

export const VisitRow = memo(({ click, isCurrent }: { click: Click; isCurrent: boolean }) => {
  const { live } = words;
  const { _id, linkId, occurredAt, route, isBot, botReasons } = click;
  const { link, name } = useClickedLink(linkId);
  const search = useSearch();
  return (
    <ListRow isCurrent={isCurrent}>
      <Grow>
        <Text strong oneLine foreign>
          <Anchor href={`/live/${_id}${search && `?${search}`}`}>
            {live.leads(name, hostOf(route.destinationUrl))}
          </Anchor>
        </Text>
        <Text soft small oneLine foreign>
          {live.facts(clockText(occurredAt), placeOf(click), machineOf(click))}
        </Text>
      </Grow>
      <Row gap={1}>
        {isBot || botReasons.length > 0 ? (
          <Chip tone="warn" icon={Bot} title={botReasons.map(reasonName).join(", ")}>
            {botReasons[0] === undefined ? live.bot : reasonName(botReasons[0])}
          </Chip>
        ) : null}
        <Chip tone={route.kind === "default" ? undefined : "accent"}>{decidedBy(route, link)}</Chip>
      </Row>
    </ListRow>
  );
});
