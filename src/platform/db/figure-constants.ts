/**
 * Constants that statements on clicks and figures use. They are kept apart from the tables, so that threads with
 * hand-written SQL do not load Drizzle.
 */

/** The clicks, opens and leads that count. Every query that computes figures from raw rows leaves out the others. */
export const COUNTED = "verdict is distinct from 'confirmed'";

/**
 * The `writer` of what verdicts, claims and repairs add to counters and figures, or take away. Writers of spools
 * begin at 1.
 */
export const CORRECTIONS_WRITER = 0;

/** What figures count, for humans and bots separately, so that `includeBots` adds the two. */
export const ROLLUP_METRICS = ["clicks", "bot_clicks", "opens", "bot_opens"] as const;
export type RollupMetric = (typeof ROLLUP_METRICS)[number];

/** The `link_id` of figures that cover a whole organization. */
export const WHOLE_ORGANIZATION = "00000000-0000-0000-0000-000000000000";

const REVISION_MAX = 9e15;

/** SQL expression for the `revision` of a row of figures that is inserted; null for rows of single links. */
export const NEXT_REVISION = `case when link_id = '${WHOLE_ORGANIZATION}' then (random() * ${REVISION_MAX})::bigint end`;

/**
 * SQL expression for the `revision` in an update, from a parameter that `newRevision` makes. Citus updates rows on
 * its workers, where a statement must not call `random()`.
 */
export const revisionOf = (parameter: string): string =>
  `case when link_id = '${WHOLE_ORGANIZATION}' then ${parameter}::text::bigint end`;

export const newRevision = (): string => String(Math.floor(Math.random() * REVISION_MAX));
