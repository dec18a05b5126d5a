import { bioPalette, groundsOf } from "@/core/pages/bio-palette";
import { CONTRAST_MIN, colourOf, leastContrastOf, shownContrast } from "@/core/qr/colour";
import { optionsOf, Select, Tick } from "../ui/choice";
import { Notice } from "../ui/data";
import { ColorField, TextField } from "../ui/field";
import { countText } from "../ui/format";
import { Card, Stack, Text } from "../ui/layout";
import { BLANK_THEME, type PageDraft, themeOf } from "./draft";
import type { PagePartProps } from "./form";
import { pagesWords as words } from "./words";

type Theme = PageDraft["theme"];

const COLORS = ["background", "backgroundEnd", "text", "accent"] as const;

export function Look({ draft: { theme }, faults, edit }: PagePartProps) {
  const { pages } = words;
  const set = (next: Partial<Theme>) => edit((before) => ({ ...before, theme: { ...before.theme, ...next } }));
  const shown = bioPalette(themeOf(theme));
  const asked = colourOf(theme.text) ?? bioPalette({ preset: theme.preset }).text;
  const grounds = groundsOf(shown);
  const isShortened = shown.backgroundEnd !== colourOf(theme.backgroundEnd);
  const fault = (name: keyof Theme) => faults[`theme.${name}`];
  return (
    <Card title={pages.look}>
      <Stack>
        <Select
          {...{ label: pages.preset, value: theme.preset, options: optionsOf(pages.presets), fault: fault("preset") }}
          onChange={(preset) => set({ preset })}
        />
        {COLORS.map((name) => (
          <Stack key={name} gap={2}>
            <Tick
              label={pages.ownColor(pages.colors[name])}
              checked={theme[name] !== ""}
              onChange={(isOwn) => set({ [name]: isOwn ? firstColorOf(name, theme) : "" })}
            />
            {theme[name] === "" ? null : (
              <ColorField
                {...{ label: pages.colors[name], isLabelHidden: true, fault: fault(name) }}
                value={colourOf(theme[name]) ?? shown[name] ?? shown.background}
                onChange={(color) => set({ [name]: color })}
              />
            )}
          </Stack>
        ))}
        <Text soft small>
          {pages.contrast(countText(shownContrast(leastContrastOf(grounds, shown.text))))}
        </Text>
        {leastContrastOf(grounds, asked) < CONTRAST_MIN ? <Notice tone="warn">{pages.corrected}</Notice> : null}
        {isShortened ? <Notice tone="warn">{pages.shortened}</Notice> : null}
        <Select
          {...{ label: pages.font, value: theme.font, options: optionsOf(pages.fonts), fault: fault("font") }}
          onChange={(font) => set({ font })}
        />
        <Select
          {...{ label: pages.buttonStyle, value: theme.buttonStyle, options: optionsOf(pages.buttonStyles) }}
          fault={fault("buttonStyle")}
          onChange={(buttonStyle) => set({ buttonStyle })}
        />
        <Select
          {...{ label: pages.buttonShape, value: theme.buttonShape, options: optionsOf(pages.buttonShapes) }}
          fault={fault("buttonShape")}
          onChange={(buttonShape) => set({ buttonShape })}
        />
        <TextField
          {...{ label: pages.avatarUrl, hint: pages.avatarHint, value: theme.avatarUrl, fault: fault("avatarUrl") }}
          inputMode="url"
          onChange={(avatarUrl) => set({ avatarUrl })}
        />
        <TextField
          {...{ label: pages.coverUrl, hint: pages.coverHint, value: theme.coverUrl, fault: fault("coverUrl") }}
          inputMode="url"
          onChange={(coverUrl) => set({ coverUrl })}
        />
      </Stack>
    </Card>
  );
}

/** The color that a new choice begins with. A gradient begins as a soft one. */
function firstColorOf(name: (typeof COLORS)[number], { preset, background, accent }: Theme): string {
  if (name !== "backgroundEnd") return bioPalette({ preset })[name];
  return bioPalette(themeOf({ ...BLANK_THEME, preset, background, accent })).soft;
}
