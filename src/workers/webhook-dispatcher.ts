/** Dispatches webhooks for as long as the process runs: what a dispatcher needs, and how to wake and stop it. */
import type { DeliveryPlaces } from "@/core/webhooks/places";
import type { Log } from "@/platform/telemetry/log";
import type { AttemptOutcome, ClaimedLine } from "./webhook-line";
import { Rounds } from "./webhook-rounds";

export interface WantedDeliveries {
  webhookId: string;
  room: number;
  after: string | null;
  held: readonly string[];
  batch: boolean;
}

export interface DispatchedDelivery {
  id: string;
  webhookId: string;
  dueAt: string;
}

export interface DispatcherQueue<Delivery extends DispatchedDelivery, Attempt extends AttemptOutcome> {
  claim(room: { all: number; failing: number }, held: readonly string[]): Promise<ClaimedLine[]>;
  take(wants: readonly WantedDeliveries[]): Promise<Delivery[]>;
  send(delivery: Delivery, signal: AbortSignal): Promise<Attempt>;
  settle(tried: readonly { delivery: Delivery; attempt: Attempt }[]): Promise<void>;
  renew(webhookIds: readonly string[]): Promise<void>;
  release(): Promise<void>;
}

export interface DispatcherOptions<Delivery extends DispatchedDelivery, Attempt extends AttemptOutcome>
  extends DispatcherQueue<Delivery, Attempt> {
  /** Called when Postgres does not respond: makes pending queries reject. */
  onSilent(): void;
  log: Log;
  /** Milliseconds between rounds when nothing is left to send. Tests shorten it. */
  pollMs?: number;
  places?: DeliveryPlaces;
  stopMs?: number;
}

export interface Dispatcher {
  /** Tells the dispatcher that something is due. */
  wake(): void;
  /** May be called twice. */
  stop(): Promise<void>;
}

export function startDispatcher<Delivery extends DispatchedDelivery, Attempt extends AttemptOutcome>(
  options: DispatcherOptions<Delivery, Attempt>,
): Dispatcher {
  const rounds = new Rounds(options);
  const running = rounds.run();
  let stopped: Promise<void> | undefined;
  return {
    wake: () => rounds.wake(),
    stop: () => {
      stopped ??= rounds.stop(running);
      return stopped;
    },
  };
}
