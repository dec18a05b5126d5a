/** A card with computed findings, the method, and how much data there was. */
import { type ReactNode, useState } from "react";
import type { Schemas } from "../api/client";
import { Button, LinkButton } from "../ui/button";
import { BacktickText, BulletList, Collapsible, Finding } from "../ui/charts/finding";
import { Failure, Settling, Skeleton } from "../ui/data";
import { countText } from "../ui/format";
import { Card, Stack, Text } from "../ui/layout";
import type { SubjectLink } from "./computed-links";
import { waitSecondsOf } from "./queries";
import { analyticsWords as words } from "./words";

type Level = keyof typeof words.analytics.computed.levels;

export interface Found {
  id: string;
  title: string;
  text: string;
  advice?: string;
  level?: Level;
  metric?: string;
  evidence: readonly string[];
  /** The subject of the finding. */
  link?: SubjectLink | undefined;
}

interface ComputedCardProps<Data> {
  title: string;
  method: string;
  asked: {
    data: Data | undefined;
    error: unknown;
    failureReason: unknown;
    isPlaceholderData: boolean;
    refetch(): unknown;
  };
  findings(data: Data): readonly Found[];
  /** Shown above the findings. */
  children?(data: Data): ReactNode;
}

type Answer = { summary: Schemas["ComputedSummary"] };

/** Number of findings shown at first. */
const SHOWN_FIRST = 3;

export function ComputedCard<Data extends Answer>({ title, method, asked, ...shown }: ComputedCardProps<Data>) {
  const { data, error, failureReason, isPlaceholderData, refetch } = asked;
  const wait = waitSecondsOf(failureReason);
  return (
    <Card title={title}>
      <Stack gap={2}>
        {wait === undefined || error ? null : <Text soft>{words.analytics.slower(wait)}</Text>}
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : null}
        {data ? (
          <Settling isOld={isPlaceholderData} gap={2}>
            <Body data={data} {...shown} />
          </Settling>
        ) : error ? null : (
          <Skeleton rows={2} />
        )}
        <Text soft small>
          {words.analytics.computed.method(method)}
        </Text>
      </Stack>
    </Card>
  );
}

function Body<Data extends Answer>({
  data,
  findings,
  children,
}: Pick<ComputedCardProps<Data>, "findings" | "children"> & { data: Data }) {
  const { summary } = data;
  const [isWhole, setWhole] = useState(false);
  const found = findings(data);
  const rest = found.length - SHOWN_FIRST;
  return (
    <>
      <Text>
        <BacktickText text={summary.text} />
      </Text>
      {children?.(data)}
      {(isWhole ? found : found.slice(0, SHOWN_FIRST)).map((each) => (
        <FoundOne key={each.id} {...each} />
      ))}
      {rest > 0 && !isWhole ? (
        <Button small kind="quiet" onClick={() => setWhole(true)}>
          {words.analytics.computed.more(countText(rest))}
        </Button>
      ) : null}
      {summary.notes.length > 0 ? (
        <Collapsible title={words.analytics.computed.basis}>
          <BulletList texts={summary.notes} />
        </Collapsible>
      ) : null}
    </>
  );
}

const TONES = { high: "bad", medium: "warn", low: undefined } as const;

export function FoundOne({ title, text, advice, level, metric, evidence, link }: Omit<Found, "id">) {
  const { computed } = words.analytics;
  const chips = [
    ...(level ? [{ text: computed.levels[level], tone: TONES[level] }] : []),
    ...(metric ? [{ text: metric }] : []),
  ];
  return (
    <Finding title={title} text={text} chips={chips} {...(advice && { advice })}>
      {evidence.length > 0 ? (
        <Collapsible title={computed.evidence}>
          <BulletList texts={evidence} />
        </Collapsible>
      ) : null}
      {link ? (
        <LinkButton small to={link.to}>
          {link.text}
        </LinkButton>
      ) : null}
    </Finding>
  );
}
