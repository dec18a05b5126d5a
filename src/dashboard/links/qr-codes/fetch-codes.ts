/**
 * Fetches the codes of many links as fast as the API's rate limit allows: a few requests at the same time, which wait
 * when told to.
 */
import { ApiFailure, failureText, isForLong } from "@/dashboard/api/failures";
import { wait } from "@/dashboard/shell/debounced";

const AT_ONCE = 3;
const WAIT_S_USUAL = 2;
const TRIES_MAX = 20;

export type Bytes = Uint8Array<ArrayBuffer>;

export interface FailedCode {
  shortUrl: string;
  /** The API's error message. */
  text: string;
}

interface Named {
  shortUrl: string;
}

interface Fetching<Link extends Named> {
  signal: AbortSignal;
  read(link: Link, signal: AbortSignal): Promise<Bytes>;
  onCode(link: Link, bytes: Bytes): void;
  onFailed(failed: FailedCode): void;
  /** Reports whether requests are waiting for the API's rate limit. */
  onWait(isWaiting: boolean): void;
}

/** Rejects only if it is aborted. */
export async function fetchCodes<Link extends Named>(links: readonly Link[], fetching: Fetching<Link>): Promise<void> {
  const { signal, onCode, onFailed } = fetching;
  const left = links.values();
  let over: unknown;
  const work = async () => {
    for (const link of left) {
      try {
        if (over) throw over;
        onCode(link, await fetchPatiently(link, fetching));
      } catch (error) {
        signal.throwIfAborted();
        if (isForLong(error)) over = error;
        onFailed({ shortUrl: link.shortUrl, text: failureText(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function fetchPatiently<Link extends Named>(link: Link, fetching: Fetching<Link>): Promise<Bytes> {
  for (let tries = 1; ; tries++) {
    try {
      return await fetching.read(link, fetching.signal);
    } catch (error) {
      if (!isBusy(error) || isForLong(error) || tries === TRIES_MAX) throw error;
      const seconds = error.retryAfterSeconds ?? WAIT_S_USUAL;
      fetching.onWait(true);
      await wait(seconds * 1_000, fetching.signal);
      fetching.onWait(false);
    }
  }
}

const isBusy = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && (error.status === 429 || error.status === 503);
