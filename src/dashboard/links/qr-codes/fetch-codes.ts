/**
 * Fetches the codes of many links as fast as the API's rate limit allows: a few requests at the same time, which wait
 * when told to.
 */
import { failureText, isForLong } from "@/dashboard/api/failures";
import { patiently } from "@/dashboard/api/patiently";

const AT_ONCE = 3;

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
  const { signal, read, onCode, onFailed } = fetching;
  const patience = { signal, onWait: (seconds?: number) => fetching.onWait(seconds !== undefined) };
  const left = links.values();
  let over: unknown;
  const work = async () => {
    for (const link of left) {
      try {
        if (over) throw over;
        onCode(link, await patiently(() => read(link, signal), patience));
      } catch (error) {
        signal.throwIfAborted();
        if (isForLong(error)) over = error;
        onFailed({ shortUrl: link.shortUrl, text: failureText(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
