import { blackOrWhiteOn, CONTRAST_MIN, colourOf, contrastOf, shownContrast } from "@/core/qr/colour";
import { useOrg } from "../shell/session";
import { Button } from "../ui/button";
import { ColorField, TextArea, TextField } from "../ui/field";
import { countText } from "../ui/format";
import { Card, Stack } from "../ui/layout";
import type { OrganizationDraft } from "./organization-draft";
import { settingsWords as words } from "./words";

const STANDARD = "#1f4fd8";
const WHITE = "#ffffff";

export interface OrganizationFieldsProps {
  draft: OrganizationDraft;
  faults: Record<string, string>;
  set(next: Partial<OrganizationDraft>): void;
}

export function BrandingFields({ draft, faults, set }: OrganizationFieldsProps) {
  const { organization: said } = words.settings;
  const { may } = useOrg();
  const field = (name: "displayName" | "logoUrl" | "supportUrl" | "footerText") => ({
    ...{ label: said[name], value: draft[name], fault: faults[`branding.${name}`] },
    onChange: (value: string) => set({ [name]: value }),
  });
  const accent = colourOf(draft.accentColor) ?? STANDARD;
  return (
    <Card title={said.branding}>
      <Stack>
        <TextField {...field("displayName")} hint={said.displayNameHint} maxLength={120} />
        <TextField {...field("logoUrl")} inputMode="url" />
        <Stack gap={2}>
          <ColorField
            label={said.accentColor}
            hint={contrastText(accent)}
            value={accent}
            onChange={(accentColor) => set({ accentColor })}
            fault={faults["branding.accentColor"]}
          />
          {may("admin") && draft.accentColor ? (
            <div>
              <Button small onClick={() => set({ accentColor: "" })}>
                {said.standardAccent}
              </Button>
            </div>
          ) : null}
        </Stack>
        <TextField {...field("supportUrl")} inputMode="url" />
        <TextArea {...field("footerText")} maxLength={500} />
      </Stack>
    </Card>
  );
}

function contrastText(accent: string) {
  const { organization: said } = words.settings;
  const on = blackOrWhiteOn(accent);
  const ratio = countText(shownContrast(contrastOf(accent, on)));
  return (
    <>
      <div>{on === WHITE ? said.whiteOn(ratio) : said.blackOn(ratio)}</div>
      {contrastOf(accent, WHITE) < CONTRAST_MIN ? <div>{said.faint}</div> : null}
    </>
  );
}
