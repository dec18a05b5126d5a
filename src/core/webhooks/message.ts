/** The body of a webhook message, the same for each endpoint and attempt. */
import type { WebhookEvent } from "@/contract/webhooks";

/** An event that endpoints may subscribe to. */
export interface OccurredEvent {
  event: WebhookEvent;
  orgId: string;
  /** Time of the event in Unix milliseconds. */
  at: number;
  data: object;
}

/** An endpoint and the events it subscribes to. */
export interface WebhookListener {
  id: string;
  orgId: string;
  /** Host of the endpoint's URL. */
  host: string;
  events: readonly string[];
}

/** Returns the raw JSON that is sent and signed. */
export const messageBody = (id: string, { event, orgId, at, data }: OccurredEvent): string =>
  JSON.stringify({ id, event, createdAt: new Date(at).toISOString(), organizationId: orgId, data });

/** An index of endpoints by organization and event, built once for many events. */
export class Audience {
  readonly #byKey = new Map<string, WebhookListener[]>();

  constructor(listeners: readonly WebhookListener[]) {
    for (const listener of listeners) {
      for (const event of listener.events) this.#add(`${listener.orgId} ${event}`, listener);
    }
  }

  /** Returns the endpoints that subscribe to this event; most organizations have none. */
  of({ orgId, event }: Pick<OccurredEvent, "orgId" | "event">): readonly WebhookListener[] {
    return this.#byKey.get(`${orgId} ${event}`) ?? [];
  }

  #add(key: string, listener: WebhookListener): void {
    const listeners = this.#byKey.get(key);
    if (listeners) listeners.push(listener);
    else this.#byKey.set(key, [listener]);
  }
}
