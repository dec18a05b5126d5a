/** Explains why a visit went where it did: each rule in order, what it required, and what the visitor had. */
import { Check, X } from "lucide-react";
import { Link as Anchor } from "wouter";
import type { Schemas } from "../api/client";
import { type Clicked, useClicked } from "../links/clicked";
import { Chip, Failure, Notice, Pairs, Skeleton } from "../ui/data";
import { Dialog } from "../ui/dialog";
import { momentText } from "../ui/format";
import { Heading, Hidden, Row, Stack, Text } from "../ui/layout";
import { decodedUrl } from "../ui/readable-url";
import { Table } from "../ui/table";
import { clickedName, machineOf, placeOf, reasonName } from "./facts";
import { useClick } from "./queries";
import { whyWords as words } from "./why-words";

type ClickDetail = Schemas["ClickDetail"];
type Why = Schemas["ClickWhy"];
type Traced = Why["ruleTrace"][number];

export function WhyDialog({ clickId, onClose }: { clickId: string; onClose(): void }) {
  const { data: click, error, refetch } = useClick(clickId);
  return (
    <Dialog title={words.live.why.title} onClose={onClose} isWide>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {click ? <Explained click={click} /> : null}
      {click || error ? null : <Skeleton />}
    </Dialog>
  );
}

function Explained({ click }: { click: ClickDetail }) {
  const { why } = click;
  const clicked = useClicked(click.linkId);
  const said = words.live.why;
  return (
    <Stack gap={4}>
      <Stack gap={1}>
        <Text strong>{sentenceOf(why, clicked)}</Text>
        {why.version === null || why.basis === "none" ? null : (
          <Text soft small>
            {said.basis[why.basis](why.version)}
          </Text>
        )}
      </Stack>
      {why.isSame === false ? <Notice tone="warn">{said.differs}</Notice> : null}
      <Facts click={click} clicked={clicked} />
      {why.ruleTrace.map((rule, place) => (
        <RuleAsked key={rule.index} rule={rule} title={words.live.rule(place + 1)} />
      ))}
    </Stack>
  );
}

/**
 * Numbers rules as the trace lists them: in the order of evaluation. Of what was deleted, only the API knows whether it
 * was a page, whose visitors choose an item themselves.
 */
function sentenceOf({ route, text, ruleTrace }: Why, { page, isDeleted }: Clicked): string {
  const said = words.live.why;
  if (!route || page || (isDeleted && route.kind === "split")) return text;
  if (route.kind === "rule") return said.rule(ruleTrace.findIndex(({ index }) => index === route.ruleIndex) + 1);
  if (route.kind === "split" && route.splitKey !== null) return said.split(route.splitKey);
  return route.kind === "store" ? said.store : said.default;
}

function Facts({ click, clicked }: { click: ClickDetail; clicked: Clicked }) {
  const said = words.live.why;
  const { occurredAt, languages, referrer, botReasons, route } = click;
  const name = clickedName(clicked);
  return (
    <Pairs
      of={[
        [
          said.link,
          clicked.path ? (
            <Anchor key="link" href={clicked.path}>
              {name}
            </Anchor>
          ) : (
            name
          ),
        ],
        [said.goesTo, decodedUrl(route.destinationUrl)],
        [said.time, momentText(occurredAt)],
        [said.place, placeOf(click)],
        [said.device, machineOf(click)],
        ...(languages.length > 0 ? [[said.language, languages.join(", ")] as const] : []),
        ...(referrer ? [[said.referrer, referrer] as const] : []),
        ...(botReasons.length > 0 ? [[said.bot, botReasons.map(reasonName).join(", ")] as const] : []),
      ]}
    />
  );
}

function Verdict({ holds, isShort }: { holds: boolean; isShort?: boolean }) {
  const text = holds ? words.live.why.holds : words.live.why.fails;
  return (
    <Chip tone={holds ? "good" : "bad"} icon={holds ? Check : X} title={text}>
      {isShort ? <Hidden>{text}</Hidden> : text}
    </Chip>
  );
}

interface AskedProps {
  rule: Traced;
  title: string;
}

function RuleAsked({ rule: { destinationUrl, matched, conditions }, title }: AskedProps) {
  const said = words.live.why;
  return (
    <Stack gap={1}>
      <Row apart>
        <Heading>{title}</Heading>
        <Verdict holds={matched} />
      </Row>
      <Text soft small oneLine foreign>
        {decodedUrl(destinationUrl)}
      </Text>
      {conditions.length === 0 ? (
        <Text small>{said.always}</Text>
      ) : (
        <Table
          label={title}
          rows={conditions}
          keyOf={({ field }) => field}
          columns={[
            { title: said.outcome, isTitleHidden: true, cell: (each) => <Verdict holds={each.matched} isShort /> },
            { title: said.condition, cell: ({ field }) => conditionName(field) },
            { title: said.expected, cell: ({ expected }) => textOf(expected) },
            { title: said.actual, cell: ({ actual }) => textOf(actual) },
          ]}
        />
      )}
    </Stack>
  );
}

const isCondition = (text: string): text is keyof typeof words.conditions => Object.hasOwn(words.conditions, text);

const conditionName = (field: string): string => (isCondition(field) ? words.conditions[field] : field);

/** Formats the value of any condition: text, number, list or object. */
function textOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return words.live.why.nothing;
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
