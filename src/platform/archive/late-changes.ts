/**
 * Changes of links that came after the link's row had been written to the archive. The restored link does not have them,
 * but goes on after them: servers, clicks and webhooks know links by their versions, and figures know rules by their
 * numbers, so none is used for something else.
 */
import type { TransactionSql } from "postgres";
import { restoredVersion } from "../link-cache/changes";
import { rowOf } from "./records";

interface LateLink {
  version: number;
  nextRule: number;
}

export class LateChanges {
  readonly #tx: TransactionSql;
  /** What the changes had come to, by the links' IDs. */
  readonly #links = new Map<string, LateLink>();

  constructor(tx: TransactionSql) {
    this.#tx = tx;
  }

  /**
   * Returns the revisions without those of such changes: with them, a link could never be changed again, because its
   * next version would already have a revision.
   */
  async leaveOut(lines: string[]): Promise<string[]> {
    const late = await this.#tx<(LateLink & { id: string; linkId: string })[]>`
      select row.id, row.link_id as "linkId", row.version, coalesce((
        select max((rule ->> 'number')::int) + 1 from jsonb_array_elements(row.snapshot -> 'rules') as rule), 0) as "nextRule"
      from jsonb_populate_recordset(null::link_revisions, ${`[${lines.join(",")}]`}::text::jsonb) as row
      join links on links.id = row.link_id where row.version > links.version`;
    if (late.length === 0) return lines;
    for (const { linkId, version, nextRule } of late) {
      const known = this.#links.get(linkId);
      this.#links.set(linkId, {
        version: Math.max(version, known?.version ?? 0),
        nextRule: Math.max(nextRule, known?.nextRule ?? 0),
      });
    }
    const ids = new Set(late.map(({ id }) => id));
    return lines.filter((line) => !ids.has(String(rowOf(line).id)));
  }

  /** To be called once everything is restored. */
  async continueAfter(orgId: string): Promise<void> {
    const tx = this.#tx;
    const late = JSON.stringify(
      [...this.#links].map(([id, { version, nextRule }]) => ({ id, version, next: nextRule })),
    );
    await tx`
      update links set version = late.version, next_rule_number = greatest(next_rule_number, late.next)
      from jsonb_to_recordset(${late}::text::jsonb) as late (id uuid, version int, next int) where links.id = late.id`;
    const version = await restoredVersion(tx, orgId);
    await tx`update links set version = ${version} where org_id = ${orgId} and version < ${version}`;
  }
}
