import type { Schemas } from "@/dashboard/api/client";
import { CopyButton, CopyText, LinkButton } from "@/dashboard/ui/button";
import { BacktickText, Finding } from "@/dashboard/ui/charts/finding";
import { Notice } from "@/dashboard/ui/data";
import { Grow, Heading, Row, Stack, Text } from "@/dashboard/ui/layout";
import { FoundOne } from "../computed-card";
import { linkIn, toCountry, toDay, toFigures, toLink } from "../computed-links";
import type { FigureQueryState } from "../figure-query";
import { analyticsWords as words } from "../words";
import type { AssistantAnswer } from "./query";

type Recommendation = Schemas["AssistantRecommendation"];
type Campaign = AssistantAnswer["campaigns"][number];

interface AnswerProps {
  answer: AssistantAnswer;
  /** Warnings that do not belong to a field. */
  warnings: readonly string[];
  asked: FigureQueryState;
}

export function AnswerShown({ answer, warnings, asked }: AnswerProps) {
  const { assistant, computed } = words.analytics;
  const { summary, recommendations, campaigns, generatedBy } = answer;
  // It is asked about all links, or about the one whose figures these are, whatever the filters are.
  const whole = { ...asked, filters: {} };
  return (
    <Stack gap={3}>
      <Text strong>
        <BacktickText text={summary} />
      </Text>
      {warnings.map((warning) => (
        <Notice key={warning}>{warning}</Notice>
      ))}
      {recommendations.map((each) => (
        <Recommended key={each.title} recommendation={each} asked={whole} />
      ))}
      {campaigns.length > 0 ? <Heading>{assistant.campaigns}</Heading> : null}
      {campaigns.map((each) => (
        <Proposed key={each.name} campaign={each} asked={whole} />
      ))}
      <Text soft small>
        {computed.method(assistant.methods[generatedBy])}
      </Text>
    </Stack>
  );
}

function Recommended({ recommendation, asked }: { recommendation: Recommendation; asked: FigureQueryState }) {
  const { title, rationale, action, priority, evidence, insightId = "" } = recommendation;
  const link = toCountry(insightId, asked) ?? toDay(insightId, asked) ?? toLink(linkIn(insightId), asked);
  return <FoundOne {...{ title, text: rationale, advice: action, level: priority, evidence, link }} />;
}

function Proposed({ campaign, asked }: { campaign: Campaign; asked: FigureQueryState }) {
  const { assistant } = words.analytics;
  const { name, channel, utm, previewUrl, copy } = campaign;
  return (
    <Finding title={name} text="" chips={[{ text: channel }]}>
      {copy.map((line) => (
        <Row key={line} top>
          <Grow>
            <Text foreign>{line}</Text>
          </Grow>
          <CopyButton small text={line} />
        </Row>
      ))}
      {previewUrl === null ? null : <CopyText label={assistant.leadsTo} text={previewUrl} />}
      {utm.source ? (
        <LinkButton small to={toFigures(asked, { utmSource: utm.source })}>
          {assistant.toFigures}
        </LinkButton>
      ) : null}
    </Finding>
  );
}
