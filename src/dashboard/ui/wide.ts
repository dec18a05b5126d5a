/** Tells what there is room for. */
import { type RefObject, useEffect, useSyncExternalStore } from "react";

const wide = matchMedia("(min-width: 800px)");

function subscribe(changed: () => void) {
  wide.addEventListener("change", changed);
  return () => wide.removeEventListener("change", changed);
}

/** Reports whether `only-wide` elements are shown. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);

/**
 * Marks the element with the sides on which its content continues beyond its edge, because scroll bars are not always
 * shown.
 */
export function useBeyond(of: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const box = of.current;
    if (!box) return;
    const mark = () => {
      const { clientWidth, scrollWidth } = box;
      const scrolled = Math.abs(box.scrollLeft);
      // Positions are fractions of pixels, unlike widths.
      const [isBefore, isAfter] = [scrolled >= 1, scrollWidth - clientWidth - scrolled >= 1];
      box.dataset.beyond = isBefore && isAfter ? "both" : isBefore ? "before" : isAfter ? "after" : "";
    };
    const sizes = new ResizeObserver(mark);
    for (const each of [box, ...box.children]) sizes.observe(each);
    box.addEventListener("scroll", mark, { passive: true });
    return () => {
      sizes.disconnect();
      box.removeEventListener("scroll", mark);
    };
  }, [of]);
}
