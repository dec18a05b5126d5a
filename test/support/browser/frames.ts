/** What a page's frames show. Frames that run no script, and have an origin of their own, tell the page itself nothing. */
import type { Wire } from "./chromium";
import { BETWEEN_MS, type Send, TRIES_MS } from "./hand";

const ANSWER_MS_MAX = 1_000;

interface Asked {
  wire: Wire;
  /** To the page that holds the frame. */
  send: Send;
}

export async function untilFramed(asked: Asked, selector: string, text: RegExp): Promise<void> {
  let shown = "";
  for (const end = Date.now() + TRIES_MS; ; await Bun.sleep(BETWEEN_MS)) {
    // A frame that another one takes the place of may be gone by then, or never answer.
    const unanswered = Bun.sleep(ANSWER_MS_MAX).then(() => "no answer");
    shown = await Promise.race([textIn(asked, selector).catch(({ message }: Error) => message), unanswered]);
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
  // The browser may have given it a process of its own, which it knows by name once it has told of it.
  await wire.send("Target.getTargets");
  const { sessionId } = await wire.send("Target.attachToTarget", { targetId: frameId, flatten: true });
  try {
    return await textOf((method, params) => wire.send(method, params, String(sessionId)), frameId);
  } finally {
    await wire.send("Target.detachFromTarget", { sessionId });
  }
}

/** In a world of the test's own, which may run what the frame itself may not. */
async function textOf(send: Send, frameId: unknown): Promise<string> {
  const { executionContextId: contextId } = await send("Page.createIsolatedWorld", { frameId, worldName: "test" });
  const { result } = await send("Runtime.evaluate", { contextId, expression: "document.body.innerText" });
  return String(Object(result).value);
}
