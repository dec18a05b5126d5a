import { Tick } from "../ui/choice";
import { Notice } from "../ui/data";
import { Card, Heading, Stack } from "../ui/layout";
import type { OrganizationFieldsProps } from "./branding-fields";
import { settingsWords as words } from "./words";

const KINDS = ["installs", "leads", "valued_events", "events"] as const;

export function CountingFields({ draft, faults, set }: OrganizationFieldsProps) {
  const { organization: said } = words.settings;
  const fault = faults["settings.conversions"];
  return (
    <Card title={said.clicks}>
      <Stack gap={2}>
        <Tick
          label={said.appendClickId}
          checked={draft.appendClickId}
          onChange={(appendClickId) => set({ appendClickId })}
        />
        <Heading>{said.conversions}</Heading>
        {KINDS.map((kind) => (
          <Tick
            key={kind}
            label={said.conversionKinds[kind]}
            checked={draft.conversions.includes(kind)}
            onChange={(isOn) =>
              set({ conversions: KINDS.filter((each) => (each === kind ? isOn : draft.conversions.includes(each))) })
            }
          />
        ))}
        {fault ? <Notice tone="bad">{fault}</Notice> : null}
      </Stack>
    </Card>
  );
}
