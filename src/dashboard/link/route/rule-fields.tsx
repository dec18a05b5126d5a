import { TextField } from "@/dashboard/ui/field";
import type { ConditionName } from "./conditions";
import type { DraftRule } from "./draft";
import type { TracedRule } from "./queries";
import { RuleConditionChips } from "./rule-conditions";
import { linkRouteWords as words } from "./words";

interface RuleFieldsProps {
  rule: DraftRule;
  name: string;
  linkId: string;
  mayEdit: boolean;
  trace: TracedRule | undefined;
  faultAt(field: string): string | undefined;
  onChange(changes: Partial<DraftRule>): void;
  onRemoveCondition(name: ConditionName): void;
}

/** Which visitors a rule applies to, and where they go. */
export const RuleFields = ({
  rule,
  name,
  linkId,
  mayEdit,
  trace,
  faultAt,
  onChange,
  onRemoveCondition,
}: RuleFieldsProps) => (
  <>
    <RuleConditionChips
      {...{ name, linkId, trace, conditions: rule.conditions, onRemove: onRemoveCondition }}
      takesFocus={rule.savedAt === undefined && rule.destinationUrl === ""}
      faultAt={(field) => faultAt(`conditions.${field}`)}
      onChange={mayEdit ? (conditions) => onChange({ conditions }) : undefined}
    />
    <TextField
      {...{ label: words.route.destination, "aria-label": words.route.destinationOf(name), type: "url" }}
      placeholder={words.route.destinationPlaceholder}
      readOnly={!mayEdit}
      value={rule.destinationUrl}
      onChange={(destinationUrl) => onChange({ destinationUrl })}
      fault={faultAt("destinationUrl")}
    />
  </>
);
