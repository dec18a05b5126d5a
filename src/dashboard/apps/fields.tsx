/** Fields for the app's name and for how iPhones and Android phones identify it. */
import { Select } from "../ui/choice";
import { TextArea, TextField } from "../ui/field";
import { Card, Grid, Stack } from "../ui/layout";
import { type AppDraft, fingerprintFault } from "./draft";
import { appsWords as words } from "./words";

interface PartProps {
  draft: AppDraft;
  faults: Record<string, string>;
  set(next: Partial<AppDraft>): void;
}

const NAMED = ["name", "subtitle", "pathPrefix", "iconUrl"] as const;
const PLAIN = { autoCapitalize: "none", spellCheck: false, autoComplete: "off" } as const;

export function AppFields({ draft, faults, set }: PartProps) {
  const { apps } = words;
  const hints: Partial<Record<string, string>> = apps.hints;
  return (
    <Card title={apps.sections.app}>
      <Stack>
        {NAMED.map((field) => (
          <TextField
            key={field}
            {...{ label: apps[field], hint: hints[field], value: draft[field], fault: faults[field] }}
            onChange={(value) => set({ [field]: value })}
            required={field === "name"}
            {...(field === "pathPrefix" || field === "iconUrl" ? PLAIN : {})}
          />
        ))}
        <Select
          {...{ label: apps.fallback, value: draft.fallback, fault: faults.fallback }}
          onChange={(fallback) => set({ fallback })}
          options={[
            ["store", apps.fallbacks.store],
            ["web", apps.fallbacks.web],
          ]}
        />
      </Stack>
    </Card>
  );
}

export function IosFields({ draft: { ios }, faults, set }: PartProps) {
  const { apps } = words;
  const fields = [
    ["teamId", apps.teamId, apps.hints.teamId],
    ["bundleId", apps.bundleId, undefined],
    ["appStoreId", apps.appStoreId, apps.hints.appStoreId],
    ["scheme", apps.iosScheme, apps.hints.scheme],
    ["providerToken", apps.providerToken, apps.hints.providerToken],
    ["campaignName", apps.campaignName, apps.hints.campaignName],
  ] as const;
  return (
    <Card title={apps.sections.ios}>
      <Grid wide>
        {fields.map(([field, label, hint]) => (
          <TextField
            key={field}
            {...{ label, hint, value: ios[field], fault: faults[`ios.${field}`], ...PLAIN }}
            onChange={(value) => set({ ios: { ...ios, [field]: value } })}
          />
        ))}
      </Grid>
    </Card>
  );
}

export function AndroidFields({ draft, faults, set }: PartProps) {
  const { apps } = words;
  const { packageName, fingerprints, androidScheme } = draft;
  return (
    <Card title={apps.sections.android}>
      <Stack>
        <TextField
          {...{ label: apps.packageName, hint: apps.hints.packageName, value: packageName, ...PLAIN }}
          fault={faults["android.packageName"]}
          onChange={(value) => set({ packageName: value })}
        />
        <TextArea
          {...{ label: apps.fingerprints, hint: apps.hints.fingerprints, value: fingerprints, ...PLAIN }}
          fault={fingerprintFault(faults, fingerprints)}
          onChange={(value) => set({ fingerprints: value })}
          rows={3}
        />
        <TextField
          {...{ label: apps.androidScheme, hint: apps.hints.scheme, value: androidScheme, ...PLAIN }}
          fault={faults["android.scheme"]}
          onChange={(value) => set({ androidScheme: value })}
        />
      </Stack>
    </Card>
  );
}
