/** Form fields. Each has a label, optionally a hint, and below it the API's message if its value is invalid. */
import type { LucideIcon } from "lucide-react";
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { classes } from "./classes";
import { Icon } from "./layout";

export interface Labelled {
  label: string;
  hint?: ReactNode;
  /** What is wrong with the value, as a sentence. */
  fault?: string | undefined;
  /** Leaves the label to screen readers where the purpose of the field is clear from its place. */
  isLabelHidden?: boolean;
}

interface ControlProps {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

export function Field({
  label,
  hint,
  fault,
  isLabelHidden,
  children,
}: Labelled & { children(props: ControlProps): ReactNode }) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", fault ? `${id}-fault` : ""].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id} className={isLabelHidden ? "hidden" : "label"}>
        {label}
      </label>
      {children({ id, "aria-invalid": fault ? true : undefined, "aria-describedby": described || undefined })}
      {hint ? (
        <div id={`${id}-hint`} className="hint">
          {hint}
        </div>
      ) : null}
      {fault ? <Fault id={`${id}-fault`}>{fault}</Fault> : null}
    </div>
  );
}

/** An error message for a field, or for something that has no field of its own. */
export const Fault = ({ id, children }: { id?: string; children: ReactNode }) => (
  <div {...(id !== undefined && { id })} className="fault" role="alert">
    {children}
  </div>
);

type Own<Tag extends "input" | "textarea" | "select"> = Omit<
  ComponentProps<Tag>,
  "className" | "id" | "onChange" | "value" | "children"
> &
  Labelled & { value: string; onChange(value: string): void };

interface TextFieldProps extends Own<"input"> {
  large?: boolean;
  icon?: LucideIcon;
  /** Suggested values; others can be entered too. */
  suggestions?: readonly string[];
}

const DATES: ReadonlySet<unknown> = new Set(["date", "datetime-local", "time"]);

/** With these, Chrome takes years of four digits, as the API does, and goes on to the next part after the fourth. */
const LAST = new Map<unknown, string>([
  ["date", "9999-12-31"],
  ["datetime-local", "9999-12-31T23:59"],
]);

/** Undefined for a longer year, which a saved date may have in the browser's time zone: the form could not be sent. */
function maxOf(type: unknown, value: string): string | undefined {
  const last = LAST.get(type);
  return last && value.length <= last.length ? last : undefined;
}

/**
 * A date that lacks one of its parts has no value. If React controlled the field, it would write that empty value
 * back, and Firefox would then clear the parts already entered. This field is therefore uncontrolled: it keeps the
 * input, and only a different value from outside is written to it.
 */
function DateInput({ value, ...rest }: ComponentProps<"input"> & { value: string }) {
  const [first] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  const write = () => {
    if (field.current && field.current.value !== value) field.current.value = value;
  };
  useEffect(write, [value]);
  return <input {...rest} ref={field} max={rest.max ?? maxOf(rest.type, value)} defaultValue={first} onBlur={write} />;
}

export function TextField({
  label,
  hint,
  fault,
  isLabelHidden,
  value,
  onChange,
  large,
  icon,
  suggestions,
  ...rest
}: TextFieldProps) {
  const list = useId();
  const Input = DATES.has(rest.type) ? DateInput : "input";
  return (
    <Field {...{ label, hint, fault, isLabelHidden }}>
      {(control) => (
        <div className={classes(icon && "with-icon")}>
          {icon ? <Icon of={icon} /> : null}
          <Input
            {...rest}
            {...control}
            list={suggestions ? list : undefined}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={classes("input", large && "large")}
          />
          {suggestions ? (
            <datalist id={list}>
              {suggestions.map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
            </datalist>
          ) : null}
        </div>
      )}
    </Field>
  );
}

/** A color, chosen with the browser's own picker. */
export const ColorField = ({ label, hint, fault, isLabelHidden, value, onChange }: Own<"input">) => (
  <Field {...{ label, hint, fault, isLabelHidden }}>
    {(control) => (
      <input
        {...control}
        type="color"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="input color"
      />
    )}
  </Field>
);

interface FileFieldProps extends Labelled {
  /** Chosen before, when the field was last rendered. */
  file?: File | undefined;
  onChange(file: File | undefined): void;
  accept?: string;
  required?: boolean;
}

export function FileField({ label, hint, fault, isLabelHidden, file, onChange, accept, required }: FileFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const chosen = useRef(file);
  useEffect(() => {
    if (!field.current || !chosen.current) return;
    const files = new DataTransfer();
    files.items.add(chosen.current);
    field.current.files = files.files;
  }, []);
  return (
    <Field {...{ label, hint, fault, isLabelHidden }}>
      {(control) => (
        <input
          {...control}
          ref={field}
          type="file"
          accept={accept}
          required={required}
          onChange={(event) => onChange(event.target.files?.[0])}
          className="input"
        />
      )}
    </Field>
  );
}

export const TextArea = ({ label, hint, fault, isLabelHidden, value, onChange, ...rest }: Own<"textarea">) => (
  <Field {...{ label, hint, fault, isLabelHidden }}>
    {(control) => (
      <textarea
        {...rest}
        {...control}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="input"
      />
    )}
  </Field>
);
