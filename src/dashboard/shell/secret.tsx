/**
 * A secret that is shown once, such as a new key. It is shown over whatever screen there is once it arrives: whoever
 * has left the one that requested it, for example by the browser's Back, could never read it otherwise.
 */
import { type ComponentProps, useEffect, useSyncExternalStore } from "react";
import { holdPageWhile } from "../drafts/only-copy";
import { SecretDialog } from "../ui/dialog";

type Secret = Omit<ComponentProps<typeof SecretDialog>, "onClose">;

/** Those that have not been shown and closed yet; the first one is shown. */
let secrets: readonly Secret[] = [];
holdPageWhile(() => secrets.length > 0);
const listeners = new Set<() => void>();

export const showSecret = (secret: Secret): void => put([...secrets, secret]);

function put(next: readonly Secret[]): void {
  secrets = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function ShownSecret() {
  const [secret] = useSyncExternalStore(subscribe, () => secrets);
  const isShown = secret !== undefined;
  useEffect(() => {
    if (!isShown) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isShown]);
  return secret ? <SecretDialog {...secret} onClose={() => put(secrets.slice(1))} /> : null;
}
