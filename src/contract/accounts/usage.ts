/** How much of its plan's limits an organization has used. */
import { type Static, Type } from "@sinclair/typebox";
import { nullable, oneOf, shape, withExample } from "../schema";
import { PLANS } from "./plans";

const used = (has: number, allowed: number, description: string) =>
  shape(
    {
      used: withExample(has, Type.Integer({ minimum: 0 })),
      limit: withExample(allowed, nullable(Type.Integer({ minimum: 0, description: "Null if unlimited" }))),
    },
    { description },
  );

export const Usage = shape(
  {
    plan: oneOf(PLANS),
    month: withExample("2026-06", Type.String({ description: "Calendar month in UTC that `requests` covers" })),
    requests: used(18_204, 50_000, "Requests of all API keys and sessions in the organization within the month"),
    links: used(312, 1_000, "Live links"),
    domains: used(1, 3, "Domains, verified or not"),
    members: used(2, 3, "Members and open invitations"),
    apiKeys: used(1, 5, "API keys that are neither revoked nor expired"),
  },
  { $id: "Usage" },
);
export type Usage = Static<typeof Usage>;
