/** Health: what is in effect, without versions or hosts. */
import { type Static, Type } from "@sinclair/typebox";
import { instant, oneOf, shape } from "./schema";

export const Health = shape(
  {
    status: oneOf(
      ["ok", "degraded"],
      "`degraded` while Postgres or Redis is unavailable or read-only, Redis takes more than 100 ms to respond, clicks are " +
        "lost or more than 10 s late, or changes from other servers do not arrive. Redirects keep working",
    ),
    time: instant(),
    security: shape(
      {
        rateLimiting: Type.Boolean(),
        twoFactor: Type.Boolean(),
        sso: Type.Boolean(),
        tls: Type.Boolean({ description: "Whether `BASE_URL` is https" }),
        headers: Type.Boolean({ description: "Whether responses carry security headers" }),
      },
      { description: "What is in effect" },
    ),
  },
  { $id: "Health" },
);
export type Health = Static<typeof Health>;

export const Ready = shape({ ready: Type.Boolean() }, { $id: "Ready" });
export type Ready = Static<typeof Ready>;
