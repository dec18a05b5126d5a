import type { CustomEvent } from "@/contract/events";
import type { EventValues } from "./store";

/** Returns the wire format of an event, without absent fields. */
export const presentEvent = ({ id, occurredAt, ...event }: EventValues): CustomEvent => ({
  _id: id,
  name: event.name,
  linkId: event.linkId ?? undefined,
  visitorId: event.visitorId ?? undefined,
  value: event.value ?? undefined,
  metadata: event.metadata ?? undefined,
  occurredAt: occurredAt.toISOString(),
});
