/**
 * Reorders cards by dragging their handle with a mouse, a pen or a finger; the browser's own drag and drop does not
 * support touch. Listens on the whole document, because a card that changes places loses its pointer capture.
 */
import { type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

interface Held {
  id: string;
  pointerId: number;
  /** Pointer position and card index at the start. */
  y: number;
  from: number;
}

interface Reorder {
  list: RefObject<HTMLElement | null>;
  /** In the order of the list's children. */
  ids: readonly string[];
  move(from: number, to: number): void;
}

export function useReorder(reorder: Reorder) {
  const [held, setHeld] = useState<Held>();
  const latest = useRef(reorder);
  useLayoutEffect(() => {
    latest.current = reorder;
  });
  useEffect(() => {
    if (!held) return;
    const at = () => latest.current.ids.indexOf(held.id);
    // Rendered synchronously, so that the next pointer event finds the cards in their new places.
    const moveTo = (to: number) => flushSync(() => latest.current.move(at(), to));
    return follow(held, {
      onMove(y) {
        const to = placeAt(latest.current.list.current, at(), y);
        if (to !== undefined) moveTo(to);
      },
      onEnd: () => setHeld(undefined),
      onCancel() {
        moveTo(held.from);
        setHeld(undefined);
      },
    });
  }, [held]);
  return {
    heldId: held?.id,
    onPointerDown(event: PointerEvent, id: string) {
      if (event.button !== 0 || held) return;
      const { pointerId, clientY } = event;
      setHeld({ id, pointerId, y: clientY, from: reorder.ids.indexOf(id) });
    },
  };
}

/**
 * Returns the new index once the pointer is past the middle of another card. Swapping any earlier would make cards of
 * different heights swap back and forth.
 */
function placeAt(list: HTMLElement | null, from: number, y: number): number | undefined {
  const boxes = [...(list?.children ?? [])].map((card) => card.getBoundingClientRect());
  const to = boxes.findIndex(({ top, bottom }) => top <= y && y <= bottom);
  const box = boxes[to];
  if (!box || from < 0 || to === from) return undefined;
  return y > box.top + box.height / 2 === from < to ? to : undefined;
}

interface Following {
  onMove(y: number): void;
  onEnd(): void;
  onCancel(): void;
}

/** Follows the pointer, and scrolls the page near the window's edges. Returns a function that stops it. */
function follow({ pointerId, y: start }: Held, { onMove, onEnd, onCancel }: Following): () => void {
  let y = start;
  let frame = 0;
  const ending = new AbortController();
  const listen = <Name extends keyof DocumentEventMap>(name: Name, heard: (event: DocumentEventMap[Name]) => void) =>
    document.addEventListener(name, heard, { signal: ending.signal, capture: true });
  listen("pointermove", (event) => {
    if (event.pointerId !== pointerId) return;
    y = event.clientY;
    onMove(y);
  });
  listen("pointerup", (event) => event.pointerId === pointerId && onEnd());
  listen("pointercancel", (event) => event.pointerId === pointerId && onCancel());
  listen("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onCancel();
  });
  const scroll = () => {
    const by = y < EDGE_PX ? -SCROLLED_PX : y > innerHeight - EDGE_PX ? SCROLLED_PX : 0;
    // Not before the pointer has moved: a handle may be at the edge.
    if (by !== 0 && y !== start) {
      scrollBy({ top: by, behavior: "instant" });
      onMove(y);
    }
    frame = requestAnimationFrame(scroll);
  };
  frame = requestAnimationFrame(scroll);
  return () => {
    ending.abort();
    cancelAnimationFrame(frame);
  };
}

const EDGE_PX = 48;
const SCROLLED_PX = 8;
