/** Tells a service that cannot be reached from one that refuses something. */
import { Unreachable } from "./failures";

/** Milliseconds between two attempts. */
const AGAIN_MS = 3_000;

/** A server error comes from a proxy in front of a service that is away. */
const SERVER_ERROR = 500;

async function isReachable(): Promise<boolean> {
  try {
    return (await fetch("/app/api/session", { cache: "no-store" })).status < SERVER_ERROR;
  } catch {
    return false;
  }
}

/** Resolves once the service can be reached, or the caller no longer waits for it. Asks only while the tab is shown. */
export async function untilReachable(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await momentOrOnline(signal);
    await untilShown(signal);
    if (await isReachable()) return;
  }
}

function untilShown(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      signal.removeEventListener("abort", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look);
    look();
  });
}

/** Resolves after a moment, or as soon as the browser finds that it is online again. */
function momentOrOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      clearTimeout(timer);
      removeEventListener("online", goOn);
      signal.removeEventListener("abort", goOn);
      resolve();
    };
    const timer = setTimeout(goOn, AGAIN_MS);
    addEventListener("online", goOn);
    signal.addEventListener("abort", goOn);
  });
}

/** Returns `error`, or what is behind it if the service cannot be reached. */
export const reasonOf = async (error: unknown): Promise<unknown> =>
  (await isReachable()) ? error : new Unreachable(undefined, { cause: error });
