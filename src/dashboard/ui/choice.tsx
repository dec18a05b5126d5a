/** Fields to choose one of several values, or yes or no. */
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

/**
 * Returns the options of a select, in the order of their texts. If `Name` is a type of the API, a missing text is a
 * type error.
 */
export const optionsOf = <Name extends string>(texts: Readonly<Record<Name, string>>) =>
  Object.entries(texts) as [Name, string][];

/** Groups fields; disabled, they can only be read. */
export const FieldSet = ({ disabled, children }: { disabled: boolean; children: ReactNode }) => (
  <fieldset className="plain" disabled={disabled}>
    {children}
  </fieldset>
);

interface TickProps {
  label: ReactNode;
  checked: boolean;
  /** Some of what it stands for is checked, and some is not. */
  isMixed?: boolean;
  onChange(checked: boolean): void;
  disabled?: boolean;
  /** Applies immediately instead of with the form. */
  isSwitch?: boolean;
}

export const Tick = ({ label, checked, isMixed = false, onChange, disabled, isSwitch }: TickProps) => (
  <label className="tick">
    <input
      type="checkbox"
      role={isSwitch ? "switch" : undefined}
      checked={checked}
      ref={(box) => {
        if (box) box.indeterminate = isMixed;
      }}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span>{label}</span>
  </label>
);
