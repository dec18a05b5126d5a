/** Shows where a fictitious or past visitor would go according to the draft. */
import { useState } from "react";
import { Button } from "@/dashboard/ui/button";
import { Select } from "@/dashboard/ui/choice";
import { Notice } from "@/dashboard/ui/data";
import { TextField } from "@/dashboard/ui/field";
import { Card, Heading, Stack, Text } from "@/dashboard/ui/layout";
import { Fields, SideColumn } from "@/dashboard/ui/path/bars";
import { decodedUrl } from "@/dashboard/ui/readable-url";
import { PLATFORM_NAMES } from "./conditions";
import type { DraftRule } from "./draft";
import { OutcomeText } from "./outcome";
import type { presetVisitors } from "./presets";
import type { Outcome } from "./queries";
import { RealClicks } from "./real-clicks";
import { suggestionsFor, TEXT_FACT_NAMES, type Visitor } from "./visitor";
import { linkRouteWords as words } from "./words";

interface SimulatorProps {
  linkId: string;
  rules: readonly DraftRule[];
  visitor: Visitor;
  presets: ReturnType<typeof presetVisitors>;
  /** The outcome of each preset. */
  outcomes: readonly Outcome[];
  outcome: Outcome | undefined;
  /** Why there is no outcome. */
  trouble: string | undefined;
  onChange(visitor: Visitor): void;
}

export function Simulator({ linkId, rules, visitor, presets, outcomes, outcome, trouble, onChange }: SimulatorProps) {
  const { simulator, platforms } = words.route;
  const [showsClicks, setShowsClicks] = useState(false);
  return (
    <SideColumn label={simulator.title}>
      <Card title={simulator.title}>
        <Stack gap={3}>
          <div aria-live="polite">
            {trouble ? <Notice tone="warn">{trouble}</Notice> : outcome ? <OutcomeText outcome={outcome} /> : null}
          </div>
          <Heading>{simulator.presets}</Heading>
          <Stack gap={2}>
            {presets.map(({ name, label, visitor: preset }, at) => (
              <PresetButton
                key={name}
                {...{ label, outcome: trouble ? undefined : outcomes[at], onChoose: () => onChange(preset) }}
              />
            ))}
            <Button small aria-expanded={showsClicks} onClick={() => setShowsClicks(!showsClicks)}>
              {simulator.useClick}
            </Button>
            {showsClicks ? <RealClicks linkId={linkId} onChoose={onChange} /> : null}
          </Stack>
          <Heading>{simulator.fields}</Heading>
          <Fields>
            <Select
              label={simulator.facts.platform}
              value={visitor.platform}
              onChange={(platform) => onChange({ ...visitor, platform })}
              options={[["", simulator.anyPlatform], ...PLATFORM_NAMES.map((each) => [each, platforms[each]] as const)]}
            />
            {TEXT_FACT_NAMES.map((name) => (
              <TextField
                key={name}
                label={simulator.facts[name]}
                suggestions={suggestionsFor(name, rules)}
                value={visitor[name] ?? ""}
                onChange={(text) => onChange({ ...visitor, [name]: text })}
                autoComplete="off"
              />
            ))}
          </Fields>
          <TextField
            {...{ label: simulator.time, type: "datetime-local", value: visitor.local }}
            onChange={(local) => onChange({ ...visitor, local })}
          />
        </Stack>
      </Card>
    </SideColumn>
  );
}

interface PresetProps {
  label: string;
  outcome: Outcome | undefined;
  onChoose(): void;
}

const PresetButton = ({ label, outcome, onChoose }: PresetProps) => (
  <Stack gap={1}>
    <Button small onClick={onChoose}>
      {label}
    </Button>
    {outcome ? (
      <Text soft small oneLine foreign>
        {`→ ${decodedUrl(outcome.route.destinationUrl)}`}
      </Text>
    ) : null}
  </Stack>
);
