/**
 * How the places of a server are shared out among endpoints, so that none that is slow or dead takes them from one that is
 * quick: of `PLACES` in all, the slow have a part; where half are taken an endpoint gets no second one; and the endpoints of
 * one organization on one host have as many together as a quick one has alone.
 */
import { WINDOW_MAX, WINDOW_MIN } from "./window";

export interface Asking {
  /** A destination is an organization and a host. */
  destination: string;
  /** How many more the endpoint bears. */
  room: number;
  underWay: number;
  isSlow: boolean;
}

export interface DeliveryPlaces {
  all: number;
  slow: number;
}

export const PLACES: DeliveryPlaces = { all: 1_024, slow: 512 };
/** Limits the places of a destination beyond `WINDOW_MIN` of each endpoint. */
const DESTINATION_MAX = WINDOW_MAX;

/** What each of those under way or asking gets now, in their order; those that come first are served first. */
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
    const together = Math.max(DESTINATION_MAX - there, WINDOW_MIN - underWay);
    const share = Math.max(0, Math.min(room, free, fair, together));
    if (share === 0) continue;
    given.set(endpoint, share);
    all += share;
    if (isSlow) slow += share;
    atDestination.set(destination, there + share);
  }
  return given;
}
