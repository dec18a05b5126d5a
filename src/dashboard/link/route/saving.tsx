/** Shown while there are unsaved changes: errors, changes by others, and the possible actions. */
import { otherFaults } from "@/dashboard/api/failures";
import { Button } from "@/dashboard/ui/button";
import { Notice, Pairs } from "@/dashboard/ui/data";
import { Grow, Row, Stack, Text } from "@/dashboard/ui/layout";
import { SaveBar } from "@/dashboard/ui/path/bars";
import { decodedUrl } from "@/dashboard/ui/readable-url";
import { namesIn, valueText } from "./conditions";
import { type RouteDraft, type RouteField, routeChangesOf, routeDraftOf } from "./draft";
import type { RouteDraftState } from "./use-draft";
import { linkRouteWords as words } from "./words";

export function Saving({ state, shown }: { state: RouteDraftState; shown: readonly string[] }) {
  const { saving } = words.route;
  const { isChanged, isPending, isSaving, theirs, error, discard, put } = state;
  if (!isChanged) return null;
  const fault = otherFaults(error, shown);
  return (
    <SaveBar label={saving.unsaved} error={error}>
      {theirs ? <Meanwhile {...{ state, theirs }} /> : null}
      {fault ? <Notice tone="bad">{fault}</Notice> : null}
      <Grow>
        <Text strong>{error ? saving.failed : saving.unsaved}</Text>
      </Grow>
      <Button disabled={isPending} onClick={discard}>
        {saving.discard}
      </Button>
      {theirs ? null : (
        <Button kind="primary" busy={isSaving} onClick={() => put()}>
          {words.ui.save}
        </Button>
      )}
    </SaveBar>
  );
}

interface MeanwhileProps {
  state: RouteDraftState;
  theirs: NonNullable<RouteDraftState["theirs"]>;
}

function Meanwhile({ state: { base, draft, changes, isPending, put, take }, theirs }: MeanwhileProps) {
  const { saving } = words.route;
  const changed = routeChangesOf(routeDraftOf(base), routeDraftOf(theirs));
  const fields = (["defaultUrl", "rules", "splitTargets"] as const).filter((field) => changed[field] !== undefined);
  return (
    <Notice tone="warn">
      <Stack gap={3}>
        <Text strong>{saving.meanwhile}</Text>
        {fields.map((field) => (
          <Stack key={field} gap={1}>
            <Text strong>{saving.fields[field]}</Text>
            <Pairs
              of={[
                [saving.theirs, <Lines key="theirs" of={linesOf(routeDraftOf(theirs), field)} />],
                [saving.yours, changes[field] ? <Lines key="yours" of={linesOf(draft, field)} /> : saving.untouched],
              ]}
            />
          </Stack>
        ))}
        <Row wrap>
          <Button busy={isPending} onClick={() => put(theirs)}>
            {saving.saveMine}
          </Button>
          <Button disabled={isPending} onClick={() => take(theirs)}>
            {saving.takeTheirs}
          </Button>
        </Row>
      </Stack>
    </Notice>
  );
}

const Lines = ({ of }: { of: readonly string[] }) => (
  <ul>
    {(of.length > 0 ? of : [words.route.saving.none]).map((line) => (
      <li key={line} dir="auto">
        {line}
      </li>
    ))}
  </ul>
);

/** Describes a field's value in lines that are easy to compare. */
function linesOf({ defaultUrl, rules, targets }: RouteDraft, field: RouteField): string[] {
  const { route } = words;
  if (field === "defaultUrl") return [decodedUrl(defaultUrl)];
  if (field === "splitTargets")
    return targets.map(({ key, weight, destinationUrl }) => `${key} ${weight} → ${decodedUrl(destinationUrl)}`);
  return rules.map(({ conditions, destinationUrl }, at) => {
    const asked = namesIn(conditions).map((name) => `${words.conditions[name]} ${valueText(name, conditions[name])}`);
    return `${route.rule(at + 1)}: ${asked.join(", ") || route.everyone} → ${decodedUrl(destinationUrl)}`;
  });
}
