/** Computed analytics, with links to the subjects of the findings. */
import type { ComponentType } from "react";
import { DAY_MS } from "@/core/time/time-range";
import type { Schemas } from "../api/client";
import { useDomains } from "../links/domains";
import { BacktickText, RenderOnceVisible } from "../ui/charts/finding";
import { Pairs, Skeleton } from "../ui/data";
import { countText, percentText } from "../ui/format";
import { Card, CardsHeading, Grid, Heading, MissingOnPaper, Stack, Text } from "../ui/layout";
import { decodedUrl } from "../ui/readable-url";
import { ComputedCard, type Found } from "./computed-card";
import { computedLink, linkIn, toCountry, toDay, toDomain, toLink } from "./computed-links";
import * as queries from "./computed-queries";
import type { FigureQuery, FigureQueryState } from "./figure-query";
import { Unserved } from "./unserved";
import { analyticsWords as words } from "./words";

interface CardProps {
  asked: FigureQueryState;
}

export function Computed({ asked }: CardProps) {
  const { computed } = words.analytics;
  const { linkId: links, ...others } = asked.filters;
  const isNarrowed = Object.keys(others).length > 0 || (links !== undefined && computedLink(asked) === undefined);
  return (
    <Stack gap={2}>
      <CardsHeading>{computed.title}</CardsHeading>
      {isNarrowed ? <Text soft>{computed.unfiltered}</Text> : null}
      <MissingOnPaper>{computed.notPrinted}</MissingOnPaper>
      <Grid wide>
        {CARDS.map(([name, Shown]) => (
          <RenderOnceVisible key={name} name={name} until={<Waiting title={computed[name].title} />}>
            <Shown asked={asked} />
          </RenderOnceVisible>
        ))}
      </Grid>
    </Stack>
  );
}

const Waiting = ({ title }: { title: string }) => (
  <Card title={title}>
    <Skeleton rows={2} />
  </Card>
);

function Broken({ asked }: CardProps) {
  const domains = useDomains().data ?? [];
  return (
    <ComputedCard
      {...words.analytics.computed.broken}
      asked={queries.useBrokenCampaigns(asked)}
      findings={({ campaigns }) =>
        campaigns.map(({ id, title, summary, recommendation, severity, evidence, linkId }) => ({
          ...{ id, title, evidence, text: summary, advice: recommendation, level: severity },
          link: toDomain(id, domains) ?? toLink(linkId, asked),
        }))
      }
    />
  );
}

const Insights = ({ asked }: CardProps) => (
  <ComputedCard
    {...words.analytics.computed.insights}
    asked={queries.useInsights(asked)}
    findings={({ insights }) =>
      insights.map(({ id, title, summary, recommendation, priority, metric, evidence }) => ({
        ...{ id, title, evidence, metric, text: summary, advice: recommendation, level: priority },
        link: toCountry(id, asked) ?? toLink(linkIn(id), asked),
      }))
    }
  />
);

const Anomalies = ({ asked }: CardProps) => (
  <ComputedCard
    {...words.analytics.computed.anomalies}
    asked={queries.useAnomalies(asked)}
    findings={({ anomalies }) =>
      anomalies.map(({ id, title, summary, recommendation, severity, metric, evidence }) => ({
        ...{ id, title, evidence, metric, text: summary, advice: recommendation, level: severity },
        link: toDay(id, asked),
      }))
    }
  />
);

const Best = ({ asked }: CardProps) => (
  <ComputedCard
    {...words.analytics.computed.best}
    asked={queries.useBestDestination(asked)}
    findings={({ recommendation: { candidates } }) => candidates.map((each) => candidateOf(each, asked))}
  >
    {({ recommendation: { best, reason } }) =>
      best ? (
        <Text strong>
          <BacktickText text={reason} />
        </Text>
      ) : null
    }
  </ComputedCard>
);

const candidateOf = (candidate: Schemas["DestinationCandidate"], asked: FigureQuery): Found => {
  const { id, linkId, linkTitle, destinationUrl, score, reasons, warnings } = candidate;
  return {
    ...{ id, title: decodedUrl(destinationUrl), text: linkTitle, evidence: [...reasons, ...warnings] },
    ...(score > 0 && { metric: words.analytics.computed.best.chance(percentText(score / 100)) }),
    link: toLink(linkId, asked),
  };
};

const Prediction = ({ asked }: CardProps) => (
  <ComputedCard
    {...words.analytics.computed.prediction}
    asked={queries.usePrediction(asked)}
    findings={({ prediction }) => [adviceOf(prediction)]}
  >
    {({ prediction, range }) =>
      isProjected(prediction) ? <Expected prediction={prediction} isOver={isOver(range)} /> : null
    }
  </ComputedCard>
);

const adviceOf = ({ factors, recommendations: [first = "", ...rest] }: Schemas["ConversionPrediction"]): Found => ({
  id: "advice",
  title: first,
  text: rest.join(" "),
  evidence: factors.map(({ name, value, explanation }) =>
    words.analytics.computed.prediction.factor(name, value, explanation),
  ),
});

const isProjected = ({ baseline }: Schemas["ConversionPrediction"]): boolean => baseline.projection !== "none";

/** The days of a prediction begin with the first one that the range does not have in full, usually today. */
const isOver = ({ to }: Schemas["AnalyticsRange"]): boolean => Date.parse(to) < Date.now() - DAY_MS;

function Expected({ prediction, isOver }: { prediction: Schemas["ConversionPrediction"]; isOver: boolean }) {
  const { computed } = words.analytics;
  const said = computed.prediction;
  const { intervals, projectedClicks, projectedConversions, predictedConversionRate, confidence, horizonDays } =
    prediction;
  const between = (expected: number, { low, high }: { low: number; high: number }, text: (value: number) => string) =>
    said.interval(text(expected), text(low), text(high));
  return (
    <Stack gap={1}>
      <Heading>{isOver ? said.afterRange(horizonDays) : said.horizon(horizonDays)}</Heading>
      <Pairs
        of={[
          [said.clicks, between(projectedClicks, intervals.clicks, countText)],
          [said.conversions, between(projectedConversions, intervals.conversions, countText)],
          [said.rate, between(predictedConversionRate, intervals.conversionRate, percentText)],
          [said.confidence, computed.levels[confidence]],
        ]}
      />
    </Stack>
  );
}

const CARDS = [
  ["broken", Broken],
  ["unserved", Unserved],
  ["insights", Insights],
  ["anomalies", Anomalies],
  ["best", Best],
  ["prediction", Prediction],
] as const satisfies readonly (readonly [keyof typeof words.analytics.computed, ComponentType<CardProps>])[];
