/**
 * Changes through the API. Whoever made a change is told its outcome, whatever has become of the component that sent
 * it: a row may have left its list, the browser's Back may have closed a dialog. The library itself drops the
 * callbacks of `mutate` then, and those of a change that the same component follows by another.
 */
import { type UseMutationOptions, type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";

interface Outcome<Output> {
  onSuccess?(output: Output): void;
  onError?(error: Error): void;
  /** Called after any outcome, but only if the component is still rendered and has sent nothing else since. */
  close?(): void;
  /** Called like `close` after a success: leads on from the component's screen. */
  goOn?(output: Output): void;
}

type Sent<Output, Input> = Omit<UseMutationResult<Output, Error, Input>, "mutate">;

export interface Change<Output, Input> extends Sent<Output, Input> {
  mutate(input: Input, outcome?: Outcome<Output>): void;
}

export function useChange<Output, Input = void>(
  options: UseMutationOptions<Output, Error, Input>,
): Change<Output, Input> {
  const change = useMutation(options);
  const { mutateAsync } = change;
  const latest = useLatestOfRendered();
  const mutate = useCallback(
    (input: Input, { onSuccess, onError, close, goOn }: Outcome<Output> = {}) => {
      const isLatest = latest();
      void mutateAsync(input).then(
        (output) => {
          onSuccess?.(output);
          if (!isLatest()) return;
          close?.();
          goOn?.(output);
        },
        (error: Error) => {
          onError?.(error);
          if (isLatest()) close?.();
        },
      );
    },
    [mutateAsync, latest],
  );
  return { ...change, mutate };
}

/** Returns a function to call for each change, which returns whether that is the latest one of a rendered component. */
function useLatestOfRendered(): () => () => boolean {
  const state = useRef({ isRendered: false, sent: 0 });
  useEffect(() => {
    const { current } = state;
    current.isRendered = true;
    return () => {
      current.isRendered = false;
    };
  }, []);
  return useCallback(() => {
    const { current } = state;
    const own = ++current.sent;
    return () => current.isRendered && current.sent === own;
  }, []);
}
