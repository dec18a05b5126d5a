import { expect, test } from "bun:test";
import { clickRecord } from "@test/unit/clicks/records";
import fc from "fast-check";
import { createSenders } from "@/clicks/enrich/senders";
import type { MarkedPlace } from "@/platform/geo/geo";
import { keyNumber, visitorKey, visitorNumber, visitorSecret } from "@/platform/visitor";

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 22, 12);

/** A geo database that returns different places in each edition. */
function openAtlas() {
  let edition = 1;
  return {
    get edition() {
      return edition;
    },
    renew: () => {
      edition++;
    },
    lookup: (address: string): MarkedPlace => ({ city: `${address} in ${edition}`, marks: 0 }),
    [Symbol.dispose]: () => undefined,
  };
}

const records = fc.record({
  orgId: fc.constantFrom("0193a1b2-0000-7000-8000-0000000000aa", "0193a1b2-0000-7000-8000-0000000000bb"),
  address: fc.constantFrom("81.2.69.142", "::ffff:81.2.69.142", "081.2.69.142", "2001:db8::1", "2001:db8::2", "", "x"),
  userAgent: fc.constantFrom("", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", "curl/8.5.0"),
  acceptLanguage: fc.constantFrom("", "de", "en-GB,en;q=0.9"),
  visitorId: fc.constantFrom(undefined, undefined, "one", "other"),
  at: fc.constantFrom(NOON, NOON + DAY_MS),
});

test.each(["none", "daily"] as const)(
  "each sender is described as if it were alone, whatever came before from its address (%s)",
  (rotation) => {
    const secret = visitorSecret(new Uint8Array(32).fill(7), rotation);
    fc.assert(
      fc.property(fc.array(fc.tuple(records, fc.boolean()), { maxLength: 30 }), (visits) => {
        const atlas = openAtlas();
        const senderOf = createSenders(atlas, secret);
        for (const [changes, isRenewed] of visits) {
          if (isRenewed) atlas.renew();
          const record = clickRecord(changes);
          const { visitor, address, place, agent, languages } = senderOf(record);
          const alone = createSenders(atlas, secret)(record);
          const here: MarkedPlace = { city: `${record.address} in ${atlas.edition}`, marks: 0 };
          expect({ visitor, address, place, agent, languages }).toEqual({
            visitor: alone.visitor,
            address: alone.address,
            place: here,
            agent: alone.agent,
            languages: alone.languages,
          });
          expect(keyNumber(visitor)).toBe(visitorNumber(visitorKey(secret, record)));
        }
      }),
    );
  },
);

test("records of the same sender share one object, which is computed once", () => {
  const senderOf = createSenders(openAtlas(), visitorSecret(new Uint8Array(32), "none"));
  const record = clickRecord({ address: "81.2.69.142" });
  expect(senderOf({ ...record, query: "x=1" })).toBe(senderOf(record));
});
