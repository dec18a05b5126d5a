/** Custom events, sent by a customer's servers. */
import { type Static, Type } from "@sinclair/typebox";
import { EXAMPLE_ID, freeObject, id, instant, nullable, optional, shape, text, withExample } from "./schema";

const EVENT_VALUE_MAX = 1_000_000_000_000;

const NAME = "What happened, like `purchase`; events are counted by name";
const LINK =
  "The link that led to it, even if deleted. Without it, the event counts for the link of the click that `visitorId` " +
  "names, or else for the organization alone";
const VISITOR = "Your own id for the visitor, or the id of the click behind it (`wm_cid`)";
const VALUE = "What it is worth, in your own unit; sums are rounded to six decimals";

const eventFields = {
  name: withExample("purchase", text(100, 1, NAME)),
  linkId: optional(nullable(withExample(EXAMPLE_ID, text(64, 1, LINK)))),
  visitorId: optional(nullable(withExample("customer-1842", text(255, 1, VISITOR)))),
  value: optional(
    nullable(
      withExample(
        49.9,
        Type.Number({
          minimum: -EVENT_VALUE_MAX,
          maximum: EVENT_VALUE_MAX,
          description: VALUE,
          error: "expected a number from -1,000,000,000,000 to 1,000,000,000,000",
        }),
      ),
    ),
  ),
  metadata: optional(nullable(withExample({ orderId: "A-1001" }, freeObject("Stored with the event; at most 16 KB")))),
};

export const CustomEventInput = shape(eventFields, { $id: "CustomEventInput" });
export type CustomEventInput = Static<typeof CustomEventInput>;

export const CustomEvent = shape(
  {
    _id: id(),
    name: withExample("purchase", Type.String()),
    linkId: optional(withExample(EXAMPLE_ID, id())),
    visitorId: optional(withExample("customer-1842", Type.String())),
    value: optional(withExample(49.9, Type.Number())),
    metadata: optional(withExample({ orderId: "A-1001" }, freeObject())),
    occurredAt: instant("When the service received it"),
  },
  { $id: "CustomEvent" },
);
export type CustomEvent = Static<typeof CustomEvent>;
