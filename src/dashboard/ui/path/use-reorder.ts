/**
 * Cards follow whoever holds their handle, with a mouse, a pen or a finger: the browser's own drag knows no touch. The whole
 * page is listened to, since a card that changes places loses the pointer that it had caught.
 */
import { type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

interface Held {
  id: string;
  pointerId: number;
  /** Where it was taken up, and where the card stood. */
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
    // At once, so that the next move of the pointer meets the cards where they are then.
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

/** Past the middle of another card: one that is higher would change places for ever. */
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

/** Near the window's edges the page scrolls, and what is held goes along. Returns what ends it. */
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
    // Not before it is moved: a handle may stand at the edge.
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
