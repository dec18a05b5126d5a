/** Health (spec §2): what is in force, without versions or hosts. */
import { type Static, Type } from "@sinclair/typebox";
import { instant, oneOf, shape, shown } from "./schema";

const count = (example: number, description: string) => shown(example, Type.Integer({ minimum: 0, description }));

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
    cache: shape(
      {
        entries: count(1204, "Links in memory, ready to be served"),
        packed: count(88_310, "Links in memory that take some microseconds more, since they are kept packed"),
        bytes: count(41_213_952, "What they take of it, estimated"),
        bytesMax: count(536_870_912, "What they may take: beyond it, the ones not used lately go"),
      },
      { description: "Of the process that answers" },
    ),
    clicks: shape(
      {
        pendingBytes: count(18_220, "Recorded on disk and not yet in the database"),
        lagMs: count(310, "How long clicks take to the database; while it is away, since when none has arrived"),
        shed: count(0, "Lost since the start, since the disk or the bound of the spool was full"),
        poisoned: count(0, "Set aside since the start, since the database refused them"),
      },
      { description: "Of the process that answers" },
    ),
  },
  { $id: "Health" },
);
export type Health = Static<typeof Health>;
