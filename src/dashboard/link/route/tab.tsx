/** Where a link's visitors go and why: rules, split and default, with a simulator that includes unsaved changes. */
import { useState } from "react";
import { faultsOf, otherFaults } from "@/dashboard/api/failures";
import type { EditedLink, Link } from "@/dashboard/links/queries";
import { useOrg } from "@/dashboard/shell/session";
import { Chip } from "@/dashboard/ui/data";
import { TextField } from "@/dashboard/ui/field";
import { Card, Columns, Stack, Text } from "@/dashboard/ui/layout";
import { JumpToSide } from "@/dashboard/ui/path/bars";
import { isWhole, type RouteDraft, shownField } from "./draft";
import { presetVisitors } from "./presets";
import { usePreview } from "./queries";
import { Rules } from "./rules";
import { Saving } from "./saving";
import { Simulator } from "./simulator";
import { Targets } from "./targets";
import { useTraffic } from "./traffic";
import { type EditDraft, useRouteDraft } from "./use-draft";
import { linkRouteWords as words } from "./words";

export interface PartProps {
  link: Link;
  draft: RouteDraft;
  edit: EditDraft;
  mayEdit: boolean;
  /** Returns the API's error message for a field or for anything inside it. */
  faultAt(field: string): string | undefined;
}

export default function RouteTab({ link }: { link: EditedLink }) {
  const { route } = words;
  const mayEdit = useOrg().may("member");
  const state = useRouteDraft(link);
  const { draft, edit } = state;
  const [presets] = useState(() => presetVisitors(Date.now()));
  const [visitor, setVisitor] = useState(
    () => presets[0]?.visitor ?? { platform: "" as const, local: "", offsetMinutes: 0 },
  );
  const preview = usePreview(link, draft, [visitor, ...presets.map((preset) => preset.visitor)]);
  const refused = faultsOf(state.error);
  const faults = { ...withoutLink(faultsOf(preview.error)), ...asShown(draft, refused) };
  const faultAt = (field: string) =>
    faults[field] ?? Object.entries(faults).find(([at]) => at.startsWith(`${field}.`))?.[1];
  const isSure = isWhole(draft) && !preview.error;
  const [outcome, ...outcomes] = isSure ? (preview.data ?? []) : [];
  const traffic = useTraffic(link, draft, isSure);
  const part = { link, draft, edit, mayEdit, faultAt, outcome, traffic };
  return (
    <Columns>
      <Stack>
        <Rules {...part} />
        <Targets {...part} />
        <Card title={route.fallback.title} actions={traffic.default ? <Chip>{traffic.default}</Chip> : undefined}>
          <TextField
            {...{ label: route.fallback.title, isLabelHidden: true, hint: route.fallback.hint, type: "url" }}
            value={draft.defaultUrl}
            readOnly={!mayEdit}
            onChange={(defaultUrl) => edit((before) => ({ ...before, defaultUrl }))}
            fault={faultAt("defaultUrl")}
          />
          {traffic.store ? (
            <Text soft small>
              {traffic.store}
            </Text>
          ) : null}
        </Card>
        <JumpToSide>{route.simulator.title}</JumpToSide>
        <Saving state={state} shown={Object.keys({ ...faults, ...refused }).filter(isShown)} />
      </Stack>
      <Simulator
        {...{
          linkId: link._id,
          rules: draft.rules,
          visitor,
          presets,
          outcome,
          outcomes,
          trouble: troubleOf(draft, preview.error),
          onChange: setVisitor,
        }}
      />
    </Columns>
  );
}

const asShown = (draft: RouteDraft, faults: Record<string, string>) =>
  Object.fromEntries(Object.entries(faults).map(([field, fault]) => [shownField(draft, field), fault]));

/** Explains why there is no outcome: what is missing, or what the API rejects. */
function troubleOf(draft: RouteDraft, error: unknown): string | undefined {
  const { simulator } = words.route;
  if (!isWhole(draft)) return simulator.incomplete;
  const shown = Object.keys(faultsOf(error)).filter((field) => isShown(field.replace(/^link\./, "")));
  return error ? (otherFaults(error, shown) ?? simulator.faulty) : undefined;
}

/** A preview request contains the link next to the visitors, so its error paths start with `link.`. */
const withoutLink = (faults: Record<string, string>) =>
  Object.fromEntries(Object.entries(faults).map(([field, fault]) => [field.replace(/^link\./, ""), fault]));

const isShown = (field: string): boolean =>
  /^(?:defaultUrl|rules\.\d+\.(?:destinationUrl|conditions\.\w+.*)|splitTargets\.\d+\.\w+)$/.test(field);
