/**
 * Sends what is due: takes deliveries from the queue as far as there is room, and looks again when one has ended, when it
 * is woken, and twice a second. What another process writes, and what a wake comes too early for, is found by the latter.
 *
 * States: running → stopping → stopped. Bounds: `PLACES` deliveries under way in a process, half of them at most for
 * endpoints at which every delivery fails, so that many dead ones leave room for those that live. Those that take longer
 * than `SLOW_MS` hold no place any more, so that many slow ones do as well; there are `SLOW_MAX` of them at most. Nothing is
 * queued here: a crash loses nothing but the leases of what was under way, which end by themselves. `stop` gives that
 * `STOP_MS`, then breaks it off.
 */

import type { Log } from "@/platform/log";
import { rarely } from "@/platform/rarely";

export interface DispatcherOptions<Lease extends { isFailing: boolean }> {
  /** What is due, as far as there is room; undefined while another server takes. */
  take(room: { all: number; failing: number }): Promise<Lease[] | undefined>;
  deliver(lease: Lease, signal: AbortSignal): Promise<void>;
  /** Taking has come to no end: whatever hangs shall reject. */
  onSilent(): void;
  log: Log;
  /** For tests. */
  pollMs?: number;
  places?: number;
  slowMs?: number;
  slowMax?: number;
  stopMs?: number;
}

export interface Dispatcher {
  /** Something is due. */
  wake(): void;
  /** Twice is fine. */
  stop(): Promise<void>;
}

const PLACES = 128;
const SLOW_MS = 1_000;
/** Each holds a connection and a body, and waits. */
const SLOW_MAX = 896;
const POLL_MS = 500;
/** Between looks, so that what ends together is replaced together; as long as the last one took, where that is longer. */
const REST_MS = 10;
/** A take lasts milliseconds; one that lasts so long waits for a Postgres that has gone silent. */
const SILENT_MS = 10_000;
const STOP_MS = 5_000;
/** For what is broken off to end. */
const END_MS = 1_000;
const FAILURE_LOG_EVERY_MS = 10_000;

export function startDispatcher<Lease extends { isFailing: boolean }>(options: DispatcherOptions<Lease>): Dispatcher {
  const { take, deliver, onSilent, log, pollMs = POLL_MS, stopMs = STOP_MS } = options;
  const { places = PLACES, slowMs = SLOW_MS, slowMax = SLOW_MAX } = options;
  const endMs = Math.min(END_MS, stopMs);
  const stopping = new AbortController();
  const breakingOff = new AbortController();
  const underWay = new Map<Promise<void>, UnderWay>();
  let nap = Promise.withResolvers<void>();
  const wake = () => nap.resolve();
  const failed = rarely(FAILURE_LOG_EVERY_MS, (error: unknown) => log.warn("webhooks not dispatched", { error }));

  const running = run();
  return {
    wake,
    async stop() {
      stopping.abort();
      wake();
      await within(running, endMs);
      await within(Promise.all(underWay.keys()), stopMs);
      breakingOff.abort();
      await within(Promise.all(underWay.keys()), endMs);
    },
  };

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      nap = Promise.withResolvers<void>();
      const startedAt = performance.now();
      const taken = await takeSome();
      const tookMs = performance.now() - startedAt;
      // Those that took all the room of their endpoint hide what waits behind them for others.
      if (taken === 0) await within(nap.promise, pollMs);
      await Bun.sleep(Math.max(REST_MS, Math.min(tookMs, pollMs)));
    }
  }

  async function takeSome(): Promise<number> {
    const room = roomLeft();
    if (room.all <= 0) return 0;
    const silent = setTimeout(onSilent, SILENT_MS);
    try {
      const leases = (await take(room)) ?? [];
      for (const lease of leases) start(lease);
      return leases.length;
    } catch (error) {
      failed(error);
      return 0;
    } finally {
      clearTimeout(silent);
    }
  }

  function roomLeft() {
    const held = [...underWay.values()];
    const failing = held.filter(({ isFailing }) => isFailing).length;
    const quickSince = performance.now() - slowMs;
    const quick = held.filter(({ startedAt }) => startedAt > quickSince).length;
    const all = Math.min(places - quick, places + slowMax - held.length);
    return { all, failing: Math.max(0, Math.floor(places / 2) - failing) };
  }

  function start(lease: Lease): void {
    const delivery = deliver(lease, breakingOff.signal)
      .catch(failed)
      .finally(() => {
        underWay.delete(delivery);
        wake();
      });
    underWay.set(delivery, { isFailing: lease.isFailing, startedAt: performance.now() });
  }
}

interface UnderWay {
  isFailing: boolean;
  /** By `performance.now()`. */
  startedAt: number;
}

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}
