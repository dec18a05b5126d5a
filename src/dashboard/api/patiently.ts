/** Sends a request again that the API refuses for now, once it says. */
import { wait } from "../shell/debounced";
import { ApiFailure, isForLong } from "./failures";

const WAIT_S_USUAL = 2;
const TRIES_MAX = 20;

export interface Patience {
  signal: AbortSignal;
  /** Called with the number of seconds before each wait, and with undefined after it. */
  onWait(seconds: number | undefined): void;
}

/** Rejects if the signal is aborted while it waits, and if the API asks for more patience than anyone has. */
export async function patiently<Answer>(send: () => Promise<Answer>, { signal, onWait }: Patience): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      if (!isBusy(error) || isForLong(error) || tries === TRIES_MAX) throw error;
      const seconds = error.retryAfterSeconds ?? WAIT_S_USUAL;
      onWait(seconds);
      await wait(seconds * 1_000, signal).finally(() => onWait(undefined));
    }
  }
}

const isBusy = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && (error.status === 429 || error.status === 503);
