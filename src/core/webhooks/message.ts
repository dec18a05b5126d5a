/** What webhooks tell: the body of a message, the same for each endpoint and each try. */
import type { WebhookEvent } from "@/contract/webhooks";

/** Something endpoints may want to know. */
export interface Happening {
  event: WebhookEvent;
  orgId: string;
  /** The time of the event in Unix milliseconds. */
  at: number;
  data: object;
}

/** An endpoint, and what it is told of. */
export interface WebhookListener {
  id: string;
  orgId: string;
  /** Where it is. */
  host: string;
  events: readonly string[];
}

/** The raw JSON that is sent and signed. */
export const messageBody = (id: string, { event, orgId, at, data }: Happening): string =>
  JSON.stringify({ id, event, createdAt: new Date(at).toISOString(), organizationId: orgId, data });

/** Who is told of what, found for many happenings at once. */
export class Audience {
  readonly #byKey = new Map<string, WebhookListener[]>();

  constructor(listeners: readonly WebhookListener[]) {
    for (const listener of listeners) {
      for (const event of listener.events) this.#add(`${listener.orgId} ${event}`, listener);
    }
  }

  /** Lists the endpoints that listen; most organizations have none. */
  of({ orgId, event }: Pick<Happening, "orgId" | "event">): readonly WebhookListener[] {
    return this.#byKey.get(`${orgId} ${event}`) ?? [];
  }

  #add(key: string, listener: WebhookListener): void {
    const listeners = this.#byKey.get(key);
    if (listeners) listeners.push(listener);
    else this.#byKey.set(key, [listener]);
  }
}
