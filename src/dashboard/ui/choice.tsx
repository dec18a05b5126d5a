/** Fields where one of several is chosen. */
import type { ReactNode } from "react";
import { Field, type Labelled } from "./field";

interface SelectProps<Value extends string> extends Labelled {
  value: Value;
  onChange(value: NoInfer<Value>): void;
  options: readonly (readonly [value: Value, text: string])[];
  disabled?: boolean;
}

export const Select = <Value extends string>(props: SelectProps<Value>) => {
  const { label, hint, fault, isLabelHidden, value, onChange, options, disabled } = props;
  return (
    <Field {...{ label, hint, fault, isLabelHidden }}>
      {(control) => (
        <select
          {...control}
          value={value}
          disabled={disabled}
          onChange={(event) => {
            const chosen = options.find(([each]) => each === event.target.value);
            if (chosen) onChange(chosen[0]);
          }}
          className="input"
        >
          {options.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
};

/** Names and texts of a choice as a select has them. */
export const optionsOf = <Name extends string>(texts: Readonly<Record<Name, string>>) =>
  Object.entries(texts) as [Name, string][];

/** Fields that are read alone, where nobody may change them. */
export const FieldSet = ({ disabled, children }: { disabled: boolean; children: ReactNode }) => (
  <fieldset className="plain" disabled={disabled}>
    {children}
  </fieldset>
);

interface TickProps {
  label: ReactNode;
  checked: boolean;
  onChange(checked: boolean): void;
  disabled?: boolean;
  /** On and off at once, rather than with the form. */
  isSwitch?: boolean;
}

export const Tick = ({ label, checked, onChange, disabled, isSwitch }: TickProps) => (
  <label className="tick">
    <input
      type="checkbox"
      role={isSwitch ? "switch" : undefined}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span>{label}</span>
  </label>
);
