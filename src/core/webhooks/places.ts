/**
 * Shares a server's delivery slots among endpoints, so that slow or dead endpoints do not starve quick ones. Of
 * `PLACES.all` slots, slow endpoints get at most `PLACES.slow`. Once half of all slots are taken, no endpoint gets a
 * second one. And all endpoints of one organization on one host together get as many as a single quick endpoint.
 */
import { WINDOW_MAX, WINDOW_MIN } from "./window";

export interface Asking {
  /** Organization and host. */
  destination: string;
  /** How many more deliveries the endpoint can take. */
  room: number;
  underWay: number;
  isSlow: boolean;
}

export interface DeliveryPlaces {
  all: number;
  slow: number;
}

export const PLACES: DeliveryPlaces = { all: 1_024, slow: 512 };
/** The most slots of a destination. Beyond it, each endpoint can still get `WINDOW_MIN`. */
const DESTINATION_MAX = WINDOW_MAX;

/** Returns the new slots of each endpoint that is given any. Endpoints are served in the given order. */
export function shareOut<Item extends Asking>(
  endpoints: readonly Item[],
  places: DeliveryPlaces = PLACES,
): Map<Item, number> {
  const given = new Map<Item, number>();
  const atDestination = new Map<string, number>();
  let [all, slow] = [0, 0];
  for (const { destination, underWay, isSlow } of endpoints) {
    all += underWay;
    if (isSlow) slow += underWay;
    atDestination.set(destination, (atDestination.get(destination) ?? 0) + underWay);
  }
  for (const endpoint of endpoints) {
    const { destination, room, underWay, isSlow } = endpoint;
    const there = atDestination.get(destination) ?? 0;
    const free = Math.min(places.all - all, isSlow ? places.slow - slow : places.all);
    const fair = all >= places.all / 2 ? 1 - underWay : free;
    const destinationRoom = Math.max(DESTINATION_MAX - there, WINDOW_MIN - underWay);
    const share = Math.max(0, Math.min(room, free, fair, destinationRoom));
    if (share === 0) continue;
    given.set(endpoint, share);
    all += share;
    if (isSlow) slow += share;
    atDestination.set(destination, there + share);
  }
  return given;
}
