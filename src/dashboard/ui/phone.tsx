/**
 * Preview of one of our pages on a phone, in a frame that runs no scripts. The frame receives the response to a form,
 * because a draft is too long for a URL. Each response has a frame of its own; otherwise each would add a step to the
 * browser's history. The previous frame stays until the next one has loaded.
 */
import { useEffect, useRef, useState } from "react";

interface PhoneProps {
  title: string;
  /** URL that the form is posted to; `name` and `value` are its only field. */
  action: string;
  name: string;
  value: string;
}

interface Shown {
  id: number;
  value: string;
}

let ids = 0;

export function Phone({ title, action, name, value }: PhoneProps) {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  useEffect(() => setShown((before) => [...before.slice(0, 1), { id: ++ids, value }]), [value]);
  return (
    <div className="phone">
      {shown.map((each) => (
        <Answer
          key={each.id}
          {...{ title, action, name, value: each.value, target: `phone-${each.id}` }}
          onThere={() => setShown((now) => now.filter(({ id }) => id >= each.id))}
        />
      ))}
    </div>
  );
}

interface AnswerProps extends PhoneProps {
  target: string;
  onThere(): void;
}

function Answer({ title, action, name, value, target, onThere }: AnswerProps) {
  const isSent = useRef(false);
  useEffect(() => {
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action, target, hidden: true });
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    form.append(field);
    document.body.append(form);
    isSent.current = true;
    form.submit();
    form.remove();
  }, [action, name, value, target]);
  // The initial, empty frame also fires `load`.
  return <iframe {...{ title, name: target }} sandbox="" onLoad={() => isSent.current && onThere()} />;
}
