/**
 * The heavy readers: figures, clicks, insights and exports. Each exists for the primary and, if there is one, for the
 * replica, which is used as long as it is up to date.
 */
import { createFigureCaches } from "@/figures/read/figure-caches";
import { createFigureReaders } from "@/modules/analytics";
import { RoutedSamples } from "@/modules/insights/routed/routed-samples";
import { createInsights } from "@/modules/insights/service";
import { createLeadExporter } from "@/modules/leads/export";
import { createLinkExport } from "@/modules/links/export/export";
import type { LinkService } from "@/modules/links/service";
import type { Clock } from "@/platform/clock";
import type { Database } from "@/platform/db/client";
import type { Copies } from "@/platform/db/copies";
import { preferReplica } from "@/platform/db/replica/either";
import type { Replica } from "@/platform/db/replica/replica";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";

export interface ReaderParts {
  database: Database;
  replica: Replica | null;
  clock: Clock;
  copies: Copies;
  links: LinkService;
  shortUrlOf: ShortUrlOf;
}

export function createReaders(parts: ReaderParts) {
  const { database, replica, copies } = parts;
  const kept = { kept: createFigureCaches(copies), samples: new RoutedSamples(copies) };
  const here = readersOf(parts, kept, database);
  const { single, ...services } = replica ? withReplica(replica, here, readersOf(parts, kept, replica.database)) : here;
  return { ...services, ...single };
}

type Readers = ReturnType<typeof readersOf>;

const withReplica = (replica: Replica, here: Readers, there: Readers): Readers => ({
  analytics: preferReplica(replica, here.analytics, there.analytics),
  clicks: preferReplica(replica, here.clicks, there.clicks),
  single: preferReplica(replica, here.single, there.single),
  insights: preferReplica(replica, here.insights, there.insights),
  leadExporter: preferReplica(replica, here.leadExporter, there.leadExporter),
  linkExporter: preferReplica(replica, here.linkExporter, there.linkExporter),
});

type Kept = Pick<Parameters<typeof createFigureReaders>[0], "kept"> & { samples: RoutedSamples };

/** Creates all readers on one Postgres. */
function readersOf(
  { clock, links, shortUrlOf }: ReaderParts,
  { kept, samples }: Kept,
  { db, sql }: Pick<Database, "db" | "sql">,
) {
  const describeLinks = links.findIncludingDeleted;
  const { analytics, clicks, ...single } = createFigureReaders({ sql, clock, kept, describeLinks });
  return {
    analytics,
    clicks,
    /** The readers that answer one question each. */
    single,
    insights: createInsights({ sql, db, clock, samples, analytics, ...single, describeLinks }),
    leadExporter: createLeadExporter({ db, links }),
    linkExporter: { exported: createLinkExport({ db, clock, shortUrlOf }).exported },
  };
}
