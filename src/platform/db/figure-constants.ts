/**
 * What statements on clicks and figures name. It stands apart from the tables, so that threads whose SQL is written by hand
 * do not load Drizzle.
 */

/** Whoever reads figures from raw clicks leaves out the others. */
export const COUNTED = "verdict is distinct from 'confirmed'";

/** The `writer` of what verdicts, claims and mendings add to counters and figures, and take away; those of spools begin at 1. */
export const CORRECTIONS_WRITER = 0;

/** What figures count. Humans and bots apart, so that `includeBots` is a sum. */
export const ROLLUP_METRICS = ["clicks", "bot_clicks", "opens", "bot_opens"] as const;
export type RollupMetric = (typeof ROLLUP_METRICS)[number];

/** The `link_id` of figures that cover a whole organization. */
export const WHOLE_ORGANIZATION = "00000000-0000-0000-0000-000000000000";

const REVISION_MAX = 9e15;

/** Of a row of figures, in SQL: the `revision` that whoever brings it gives it. */
export const NEXT_REVISION = `case when link_id = '${WHOLE_ORGANIZATION}' then (random() * ${REVISION_MAX})::bigint end`;

/**
 * The same for updates, from a parameter that `newRevision` makes: the rows of a database that is spread over machines are
 * changed there, where no statement may change them by chance.
 */
export const revisionOf = (parameter: string): string =>
  `case when link_id = '${WHOLE_ORGANIZATION}' then ${parameter}::text::bigint end`;

export const newRevision = (): string => String(Math.floor(Math.random() * REVISION_MAX));
