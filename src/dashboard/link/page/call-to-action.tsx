import { optionsOf, Select, Tick } from "@/dashboard/ui/choice";
import { TextArea, TextField } from "@/dashboard/ui/field";
import { Card, Stack, Text } from "@/dashboard/ui/layout";
import type { LinkPageDraft } from "./draft";
import type { LinkPagePartProps } from "./tab";
import { linkPageWords as words } from "./words";

type Cta = LinkPageDraft["cta"];

export function CallToAction({ draft: { cta }, faults, set }: LinkPagePartProps) {
  const said = words.linkPage.cta;
  const edit = (next: Partial<Cta>) => set({ cta: { ...cta, ...next } });
  const field = (name: "message" | "buttonText" | "buttonUrl") => ({
    ...{ label: said[name], value: cta[name], fault: faults[`ctaOverlay.${name}`] },
    onChange: (value: string) => edit({ [name]: value }),
  });
  return (
    <Card title={said.card}>
      <Stack>
        <Text soft>{said.hint}</Text>
        <Tick label={said.enabled} checked={cta.enabled} onChange={(enabled) => edit({ enabled })} />
        <TextArea {...field("message")} maxLength={500} />
        <TextField {...field("buttonText")} maxLength={80} />
        <TextField {...field("buttonUrl")} hint={said.buttonUrlHint} inputMode="url" />
        <Select
          {...{
            label: said.mode,
            value: cta.mode,
            options: optionsOf<Cta["mode"]>(said.modes),
            fault: faults["ctaOverlay.mode"],
          }}
          onChange={(mode) => edit({ mode })}
        />
        {cta.mode === "overlay" ? (
          <Select
            {...{ label: said.position, value: cta.position, options: optionsOf<Cta["position"]>(said.positions) }}
            fault={faults["ctaOverlay.position"]}
            onChange={(position) => edit({ position })}
          />
        ) : null}
      </Stack>
    </Card>
  );
}
