/** A few choices side by side, one of which is selected. */
import { useRef } from "react";
import { useBeyond } from "../wide";

interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, text: string])[];
  onChange(value: NoInfer<Value>): void;
}

export function Segments<Value extends string>({ label, value, options, onChange }: SegmentsProps<Value>) {
  const box = useRef<HTMLFieldSetElement>(null);
  useBeyond(box);
  return (
    <fieldset className="segments" ref={box}>
      <legend className="hidden">{label}</legend>
      {options.map(([each, text]) => (
        <button
          key={each}
          type="button"
          className="segment"
          aria-pressed={each === value}
          onClick={() => onChange(each)}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
