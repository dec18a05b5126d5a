/** A question about what to do next, and the response with the figures it is based on. */
import type { FormEvent } from "react";
import { faultsOf, otherFaults } from "@/dashboard/api/failures";
import { useKeptInput } from "@/dashboard/drafts/kept-input";
import { isSame } from "@/dashboard/drafts/rebase";
import { useOrg } from "@/dashboard/shell/session";
import { Button } from "@/dashboard/ui/button";
import { Collapsible } from "@/dashboard/ui/charts/finding";
import { Notice, Skeleton } from "@/dashboard/ui/data";
import { TextField } from "@/dashboard/ui/field";
import { Card, Grid, Row, Stack, Text } from "@/dashboard/ui/layout";
import type { FigureQueryState } from "../figure-query";
import { analyticsWords as words } from "../words";
import { AnswerShown } from "./answer";
import { FIELDS, type Question, questionIn, useAnswer } from "./query";

const OPTIONS = ["audience", "channel", "tone", "productUrl"] as const;
/** Names that the API knows. */
const TONES = ["plain", "friendly", "professional", "playful", "urgent"];
/** Limits of the API, in characters. */
const LENGTHS: Record<keyof Question, number> = {
  goal: 500,
  audience: 200,
  channel: 100,
  tone: 100,
  productUrl: 2_048,
};

export default function Assistant({ asked }: { asked: FigureQueryState }) {
  const { assistant } = words.analytics;
  const question = questionIn(asked);
  const { data, error, isFetching, refetch } = useAnswer(question, asked.linkId);
  const warnings = warningsIn(data?.warnings ?? []);
  const alert = otherFaults(error, FIELDS);
  return (
    <Card title={assistant.title}>
      <Stack gap={3}>
        <Text soft>{assistant.text}</Text>
        {alert ? <Notice tone="bad">{alert}</Notice> : null}
        <Form
          {...{ question, linkId: asked.linkId, faults: faultsOf(error), hints: warnings.byField, isBusy: isFetching }}
          onAsk={(next) => {
            if (isSame(next, question)) void refetch();
            else asked.setViews(next);
          }}
        />
        {isFetching ? <Skeleton rows={3} /> : null}
        {data && !isFetching ? <AnswerShown answer={data} warnings={warnings.others} asked={asked} /> : null}
      </Stack>
    </Card>
  );
}

/** Assigns each warning that starts with a field's name to that field. */
function warningsIn(warnings: readonly string[]) {
  const byField: Partial<Question> = {};
  const others: string[] = [];
  for (const warning of warnings) {
    const field = FIELDS.find((each) => warning.startsWith(`${each}: `));
    // The field already has a hint that says what it is for.
    if (field === "productUrl") continue;
    if (field) byField[field] = warning.slice(field.length + 2);
    else others.push(warning);
  }
  return { byField, others };
}

interface FormProps {
  question: Question;
  linkId: string | undefined;
  faults: Record<string, string>;
  hints: Partial<Question>;
  isBusy: boolean;
  onAsk(question: Question): void;
}

function Form({ question, linkId, faults, hints, isBusy, onAsk }: FormProps) {
  const { assistant } = words.analytics;
  const { _id: orgId } = useOrg();
  // The URL can change without the form, for example by the browser's Back, and then has its own input.
  const input = useKeptInput(`question ${JSON.stringify([orgId, linkId, question])}`, question);
  const { values } = input;
  const send = (event: FormEvent) => {
    event.preventDefault();
    onAsk(values);
    input.clear();
  };
  const field = (name: keyof Question) => ({
    ...{ value: values[name], fault: faults[name], hint: hints[name], maxLength: LENGTHS[name], autoComplete: "off" },
    onChange: (value: string) => input.set({ [name]: value }),
  });
  return (
    <form onSubmit={send}>
      <Stack gap={3}>
        <TextField {...field("goal")} label={assistant.goal} placeholder={assistant.goalExample} required />
        <Collapsible
          title={assistant.options}
          isOpen={OPTIONS.some((name) => question[name] || faults[name] || hints[name])}
        >
          <Grid>
            {OPTIONS.map((name) => (
              <TextField
                key={name}
                {...field(name)}
                label={assistant.fields[name]}
                {...(name === "tone" && { suggestions: TONES })}
                {...(name === "productUrl" && { inputMode: "url", hint: assistant.productHint })}
              />
            ))}
          </Grid>
        </Collapsible>
        <Row>
          <Button type="submit" kind="primary" busy={isBusy}>
            {assistant.ask}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
