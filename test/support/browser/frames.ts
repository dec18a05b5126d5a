/**
 * Reads the text of a page's frames. The page itself cannot read frames that run no scripts and have another origin.
 */
import type { Send } from "./hand";
import { inTime, TRIES_MS } from "./in-time";
import { BETWEEN_MS } from "./watch";
import type { Wire } from "./wire";

/** How long an attempt may take: after each that had no answer, the next has twice as long, as the machine may be busy. */
const ANSWER_MS = 1_000;
const ANSWER_MS_MAX = 10_000;

interface Asked {
  wire: Wire;
  /** Sends to the page that contains the frame. */
  send: Send;
}

export async function untilFramed(asked: Asked, selector: string, text: RegExp): Promise<void> {
  let shown = "";
  let answerMs = ANSWER_MS;
  for (const end = Date.now() + TRIES_MS; ; await Bun.sleep(BETWEEN_MS)) {
    // The frame may be replaced meanwhile; the request to it then fails or never gets a response.
    shown = await inTime(textIn(asked, selector), answerMs, "No answer").catch(({ message }: Error) => {
      answerMs = Math.min(2 * answerMs, ANSWER_MS_MAX);
      return message;
    });
    if (text.test(shown)) return;
    if (Date.now() > end) throw new Error(`${selector} never came to show ${text}, but: ${shown}`);
  }
}

async function textIn({ wire, send }: Asked, selector: string): Promise<string> {
  const expression = `document.querySelector(${JSON.stringify(selector)})`;
  const { objectId } = Object((await send("Runtime.evaluate", { expression })).result);
  const { frameId } = Object((await send("DOM.describeNode", { objectId })).node);
  const told = await textOf(send, frameId).catch(() => undefined);
  if (told !== undefined) return told;
  // The frame may run in a process of its own. Chromium accepts its id as a target only after listing the targets.
  await wire.send("Target.getTargets");
  const { sessionId } = await wire.send("Target.attachToTarget", { targetId: frameId, flatten: true });
  try {
    return await textOf((method, params) => wire.send(method, params, String(sessionId)), frameId);
  } finally {
    await wire.send("Target.detachFromTarget", { sessionId });
  }
}

/** Runs in an isolated world, which may run scripts even if the frame may not. */
async function textOf(send: Send, frameId: unknown): Promise<string> {
  const { executionContextId: contextId } = await send("Page.createIsolatedWorld", { frameId, worldName: "test" });
  const { result } = await send("Runtime.evaluate", { contextId, expression: "document.body.innerText" });
  return String(Object(result).value);
}
