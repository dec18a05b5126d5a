/** Messages that are sent as one: `{id, events: [...]}`, in which each is as it would be alone. */

/** Of the one that holds several; what is in it says of itself what it is. */
export const BATCH_EVENT = "batch" as const;
export const BATCH_MESSAGES_MAX = 100;
const BATCH_BYTES_MAX = 256 * 1024;

/** Bodies that are JSON already. */
export const batchBody = (id: string, bodies: readonly string[]): string =>
  `{"id":"${id}","events":[${bodies.join(",")}]}`;

/** In their order, as few as the bounds allow; one that is too large for any is alone. */
export function batchesOf<Item extends { body: string }>(items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const last = batches.at(-1);
    const length = item.body.length;
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
