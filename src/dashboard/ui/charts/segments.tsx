/** A few choices side by side, one of which is selected. */
interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, text: string])[];
  onChange(value: NoInfer<Value>): void;
}

export const Segments = <Value extends string>({ label, value, options, onChange }: SegmentsProps<Value>) => (
  <fieldset className="segments">
    <legend className="hidden">{label}</legend>
    {options.map(([each, text]) => (
      <button key={each} type="button" className="segment" aria-pressed={each === value} onClick={() => onChange(each)}>
        {text}
      </button>
    ))}
  </fieldset>
);
