/** Health (spec §2): what is in force, without versions or hosts. */
import { type Static, Type } from "@sinclair/typebox";
import { instant, oneOf, shape } from "./schema";

export const Health = shape(
  {
    status: oneOf(["ok", "degraded"], "`degraded` while a dependency is away: redirects go on"),
    time: instant(),
    security: shape({
      rateLimiting: Type.Boolean(),
      twoFactor: Type.Boolean(),
      sso: Type.Boolean(),
      tls: Type.Boolean(),
      headers: Type.Boolean(),
    }),
  },
  { $id: "Health" },
);
export type Health = Static<typeof Health>;
