/**
 * Waits for a state of a page. The page itself looks for it, with its own timers: a state that lasts only for some time,
 * such as a message, is then seen even if the machine is so busy that the test gets no turn in that time. It answers once
 * it has also done what was due next, such as to read the rest of the document, to listen for keys or to move the focus
 * into a dialog: a person takes longer than that to act, but a test does not.
 */
import { inTime, TRIES_MS } from "./in-time";

export const BETWEEN_MS = 20;
/** How long the page looks before the test asks it again. */
const WATCH_MS = 5_000;
/** A page that is not drawn has no frames. */
const FRAME_MS_MAX = 100;
/** A page that is being left may never answer. */
const ANSWER_MS_MAX = 10_000;

interface Watched {
  evaluate<Value>(expression: string): Promise<Value>;
  /** Without JavaScript, a page has no timers either. */
  hasJavaScript: boolean;
}

/** Resolves once the expression is truthy. Rejects if it is not within `TRIES_MS`. */
export async function untilTrue({ evaluate, hasJavaScript }: Watched, expression: string): Promise<void> {
  const watching = hasJavaScript ? watchFor(expression) : `document.readyState !== "loading" && (${expression})`;
  let isSeen = false;
  const look = async () => {
    isSeen = (await evaluate<boolean>(watching)) || isSeen;
  };
  for (const end = Date.now() + TRIES_MS; ; await Bun.sleep(BETWEEN_MS)) {
    // Evaluating fails while the page navigates.
    await inTime(look(), ANSWER_MS_MAX, "No answer").catch(() => undefined);
    if (isSeen) return;
    if (Date.now() > end) throw new Error(`It never came to hold: ${expression}`);
  }
}

const watchFor = (expression: string): string => `new Promise((answer) => {
  const end = performance.now() + ${WATCH_MS};
  const look = async () => {
    const isTrue = await (async () => (${expression}))().then(Boolean, () => false);
    if (isTrue) settle(() => answer(true));
    else if (performance.now() > end) answer(false);
    else setTimeout(look, ${BETWEEN_MS});
  };
  const settle = (then) => {
    if (document.readyState === "loading")
      return document.addEventListener("DOMContentLoaded", () => settle(then), { once: true });
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { requestAnimationFrame(then); setTimeout(then, ${FRAME_MS_MAX}); };
    port2.postMessage(undefined);
  };
  void look();
})`;
