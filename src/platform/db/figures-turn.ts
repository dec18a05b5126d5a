/** Who changes an organization's figures beside the click writers (a verdict, a claim, a mending) waits for the others who do. */

/** What names the turn for `pg_advisory_xact_lock(hashtextextended(…, 0))`; held until the transaction ends. */
export const figuresTurn = (orgId: string): string => `waymark figures ${orgId}`;
