/**
 * A page of ours as a phone shows it, in a frame that runs nothing. It is the answer to a form, since what is drawn is longer
 * than an address may be. Each answer has a frame of its own, or each would be one more step back in the browser's history; the
 * one before stays until the next one is there.
 */
import { useEffect, useRef, useState } from "react";

interface PhoneProps {
  title: string;
  /** Where the form goes, and its only field. */
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
  // A frame without an address is loaded, too.
  return <iframe {...{ title, name: target }} sandbox="" onLoad={() => isSent.current && onThere()} />;
}
