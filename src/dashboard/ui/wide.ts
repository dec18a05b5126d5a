/** Reports whether `only-wide` elements are shown. */
import { useSyncExternalStore } from "react";

const wide = matchMedia("(min-width: 800px)");

function subscribe(changed: () => void) {
  wide.addEventListener("change", changed);
  return () => wide.removeEventListener("change", changed);
}

export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);
