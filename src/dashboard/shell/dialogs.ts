import { useSearchParams } from "wouter";

interface DialogOptions {
  /** It opens from within another dialog, and takes that one's place. */
  isWithin?: boolean;
}

/**
 * State of a dialog in the URL: what it is about (or ""), how to open it, and how to close it. Closing takes its place
 * in the history, so that the browser's Back does not open it again. What opens from within a dialog does so, too.
 */
export function useDialog(
  name: string,
  { isWithin = false }: DialogOptions = {},
): [of: string | undefined, open: (of?: string) => void, close: () => void] {
  const [params, setParams] = useSearchParams();
  const put = (of: string | undefined) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (of === undefined) next.delete(name);
        else next.set(name, of);
        return next;
      },
      { replace: of === undefined || isWithin || params.has(name) },
    );
  return [params.get(name) ?? undefined, (of = "") => put(of), () => put(undefined)];
}
