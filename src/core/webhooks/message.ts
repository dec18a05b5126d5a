/** What webhooks tell: the body of a message, the same for each endpoint and each try. */
import type { WebhookEvent } from "@/contract/webhooks";

/** Something endpoints may want to know. */
export interface Happening {
  event: WebhookEvent;
  orgId: string;
  /** When it happened, Unix milliseconds. */
  at: number;
  data: object;
}

/** An endpoint, and what it is told of. */
export interface Listener {
  id: string;
  orgId: string;
  events: readonly string[];
}

/** The raw JSON that is sent and signed. */
export const messageBody = (id: string, { event, orgId, at, data }: Happening): string =>
  JSON.stringify({ id, event, createdAt: new Date(at).toISOString(), organizationId: orgId, data });

/** Who is told of what, found for many happenings at once. */
export class Audience {
  readonly #idsByKey = new Map<string, string[]>();

  constructor(listeners: readonly Listener[]) {
    for (const { id, orgId, events } of listeners) {
      for (const event of events) this.#add(`${orgId} ${event}`, id);
    }
  }

  /** The endpoints that listen; none for most. */
  of({ orgId, event }: Pick<Happening, "orgId" | "event">): readonly string[] {
    return this.#idsByKey.get(`${orgId} ${event}`) ?? [];
  }

  #add(key: string, id: string): void {
    const ids = this.#idsByKey.get(key);
    if (ids) ids.push(id);
    else this.#idsByKey.set(key, [id]);
  }
}
