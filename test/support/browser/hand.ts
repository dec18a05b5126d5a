/** Simulates a person's input: mouse, touch and keyboard. */
import { TRIES_MS } from "./in-time";
import { BETWEEN_MS } from "./watch";
import type { Message } from "./wire";

/** Sends a command to a page's session. */
export type Send = (method: string, params?: Message) => Promise<Message>;

export interface Hand {
  /**
   * Clicks with the mouse. Does not wait for what the click leads to, but for the element while the document is being
   * read. If the element has moved away before it is pressed, as when a response makes room for itself above, the page
   * does not notice, and the element is aimed at again. If it moves away while it is pressed, it is released where it is
   * then.
   */
  click(selector: string): Promise<void>;
  /** Drags the element with the mouse by this many pixels. Aims as `click` does. */
  drag(selector: string, byX: number, byY: number): Promise<void>;
  /**
   * Touches the element and moves the finger to each place, `{ x, y }`, that the expression evaluates to, until it
   * evaluates to null. Aims as `click` does. Rejects after 60 s.
   */
  swipe(selector: string, where: string): Promise<void>;
  /** Types into the focused element. */
  type(text: string): Promise<void>;
  /**
   * Presses a key, alone or with Control or Alt: `Enter`, `Control+k`, `Alt+ArrowUp`. A single letter types itself.
   */
  press(key: string): Promise<void>;
}

/** Windows virtual key codes of keys that type nothing. */
const CODES: Record<string, number> = {
  Tab: 9,
  Enter: 13,
  Escape: 27,
  PageUp: 33,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Delete: 46,
};
const HELD: Record<string, number> = { Alt: 1, Control: 2 };

export function handOf(send: Send, evaluate: <Value>(expression: string) => Promise<Value>): Hand {
  const mouse = (type: string, at: Place, held: Message = {}) =>
    send("Input.dispatchMouseEvent", { type, ...at, button: "left", clickCount: 1, ...held });
  const touch = (type: string, ...touchPoints: Place[]) => send("Input.dispatchTouchEvent", { type, touchPoints });
  const aim = async (selector: string, end: number): Promise<Place> => {
    for (;;) {
      const place = await evaluate<Place | null>(aimAt(selector));
      if (place) return place;
      if (Date.now() > end) throw new Error(`It never came to be there: ${selector}`);
      await Bun.sleep(BETWEEN_MS);
    }
  };
  /** Presses the element, if need be again: resolves to where it was pressed, and to where it has moved since. */
  const hit = async (
    selector: string,
    press: (at: Place) => Promise<unknown>,
    release: (at: Place) => Promise<unknown>,
  ): Promise<{ at: Place; moved: Place | null }> => {
    for (const end = Date.now() + TRIES_MS; ; ) {
      const at = await aim(selector, end);
      await press(at);
      const { hasMissed, moved } = await evaluate<Pressed>(PRESSED);
      if (!hasMissed) return { at, moved };
      await release(at);
      if (Date.now() > end) throw new Error(`What is pressed never stands still: ${selector}`);
    }
  };
  return {
    async drag(selector, byX, byY) {
      const held = { buttons: 1 };
      const { at } = await hit(
        selector,
        (place) => mouse("mousePressed", place, held),
        (place) => mouse("mouseReleased", place),
      );
      const end = { x: at.x + byX, y: at.y + byY };
      await mouse("mouseMoved", end, held);
      await mouse("mouseReleased", end, { buttons: 0 });
    },
    async swipe(selector, where) {
      await hit(
        selector,
        (place) => touch("touchStart", place),
        () => touch("touchEnd"),
      );
      for (const end = Date.now() + TRIES_MS; ; await Bun.sleep(BETWEEN_MS)) {
        const at = await evaluate<Place | null>(where);
        if (at === null) break;
        if (Date.now() > end) throw new Error(`The finger never came to the end of: ${where}`);
        await touch("touchMove", at);
      }
      await touch("touchEnd");
    },
    async click(selector) {
      const release = (place: Place) => mouse("mouseReleased", place);
      const { at, moved } = await hit(selector, (place) => mouse("mousePressed", place), release);
      await release(moved ?? at);
    },
    async type(text) {
      await send("Input.insertText", { text });
    },
    async press(name) {
      const [key = "", held = ""] = name.split("+").reverse();
      const code = CODES[key] ?? key.toUpperCase().charCodeAt(0);
      const text = held ? undefined : key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
      const pressed = { key, windowsVirtualKeyCode: code, modifiers: HELD[held] ?? 0 };
      await send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", ...pressed, text });
      await send("Input.dispatchKeyEvent", { type: "keyUp", ...pressed });
    },
  };
}

interface Place {
  x: number;
  y: number;
}

/** What became of the press: whether it missed the element, and where the element is now if it has moved since. */
interface Pressed {
  hasMissed: boolean;
  moved: Place | null;
}

const PLACE_OF_E = `const box = e.getBoundingClientRect();
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 };`;

const placeIn = (selector: string): string => `const e = document.querySelector(${JSON.stringify(selector)});
  e.scrollIntoView({ block: "center" });
  ${PLACE_OF_E}`;

/**
 * Evaluates to the element's place, and lets the page notice the next click only if it is on the element, or on what
 * covers it now. Pages without scripts notice each click. Null if the document is not read to the end and the element
 * may still come.
 */
const aimAt = (selector: string): string => `(() => {
  if (document.readyState === "loading" && !document.querySelector(${JSON.stringify(selector)})) return null;
  ${placeIn(selector)}
  const cover = document.elementFromPoint(place.x, place.y);
  window.aiming?.abort();
  window.aiming = new AbortController();
  window.hasMissed = undefined;
  window.aimedAt = { e, place };
  const pass = (event) => {
    hasMissed ??= event.target !== cover && !e.contains(event.target);
    if (!hasMissed) return aiming.abort();
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
    addEventListener(type, pass, { capture: true, signal: aiming.signal });
  return place; })()`;

/** Evaluates to `Pressed`. What has left the page or is hidden has not moved. */
const PRESSED = `(() => { const hasMissed = window.hasMissed === true;
  if (hasMissed || !window.aimedAt?.e.isConnected) return { hasMissed, moved: null };
  const { e, place: before } = window.aimedAt;
  ${PLACE_OF_E}
  const isThere = box.width === 0 || (place.x === before.x && place.y === before.y);
  return { hasMissed, moved: isThere ? null : place }; })()`;
