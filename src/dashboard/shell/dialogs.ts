import { useSearchParams } from "wouter";

/**
 * State of a dialog in the URL: what it is about (or ""), how to open it, and how to close it. Closing takes its place
 * in the history, so that the browser's Back does not open it again.
 */
export function useDialog(name: string): [of: string | undefined, open: (of?: string) => void, close: () => void] {
  const [params, setParams] = useSearchParams();
  const put = (of: string | undefined) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (of === undefined) next.delete(name);
        else next.set(name, of);
        return next;
      },
      { replace: of === undefined },
    );
  return [params.get(name) ?? undefined, (of = "") => put(of), () => put(undefined)];
}
