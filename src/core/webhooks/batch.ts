/** Batches: several messages sent as one, `{id, events: [...]}`, where each looks the same as when sent alone. */

/** Event name of a batch; each message in it names its own event. */
export const BATCH_EVENT = "batch" as const;
export const BATCH_MESSAGES_MAX = 100;
const BATCH_BYTES_MAX = 256 * 1024;

/** Wraps bodies that are already JSON. */
export const batchBody = (id: string, bodies: readonly string[]): string =>
  `{"id":"${id}","events":[${bodies.join(",")}]}`;

/**
 * Splits items into as few batches as the bounds allow, in order. An item that is too large for any batch gets one of
 * its own.
 */
export function batchesOf<Item extends { body: string }>(items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const last = batches.at(-1);
    const length = Buffer.byteLength(item.body);
    if (!last || last.length === BATCH_MESSAGES_MAX || bytes + length > BATCH_BYTES_MAX) {
      batches.push([item]);
      bytes = length;
    } else {
      last.push(item);
      bytes += length;
    }
  }
  return batches;
}
