/**
 * `erase`: erases all data about one visitor of an organization, by the visitor's id or an email that leads contain.
 */
import * as visits from "@/clicks/erase-visits";
import { SYSTEM } from "@/core/ids";
import { createFigureTurns } from "@/http/figure-turns";
import { createPrivacyService } from "@/modules/privacy/service";
import { turnBackMonths } from "@/platform/db/citus/columnar";
import type { Database } from "@/platform/db/client";
import { isColumnarFault } from "@/platform/db/faults";
import { ensureVisitorSecret } from "@/platform/shared-rows";
import { visitorSecret } from "@/platform/visitor";
import { organizationNamed } from "./find";
import { type CommandOutcome, noOrganization } from "./outcome";

/** Erases the visitor in one call, however long it takes. */
export async function eraseVisitor(
  { db, sql }: Pick<Database, "db" | "sql">,
  [name = "", given = ""]: string[],
): Promise<CommandOutcome> {
  const visitor = given.trim();
  if (visitor === "") return { ok: false, message: "Nothing was erased: name the visitor by visitorId or email" };
  const organization = await organizationNamed(db, name);
  if (!organization) return noOrganization(name);
  const secret = visitorSecret(await ensureVisitorSecret(db), "none");
  const options = {
    ...{ db, clock: Date.now, visitorSecret: secret, visits, deadlineMs: Number.POSITIVE_INFINITY },
    figuresInTurn: createFigureTurns(db),
  };
  const whom = visitor.includes("@") ? { visitorId: visitor, email: visitor } : { visitorId: visitor };
  const erase = () => createPrivacyService(options).erase({ orgId: organization.id, actor: SYSTEM }, whom);
  const { erased } = await erase().catch(async (error: unknown) => {
    if (!isColumnarFault(error)) throw error;
    const months = await turnBackMonths(sql, organization.id);
    console.error(
      `Turned clicks of ${months.join(", ")} back into rows; the counts leave out what was erased before that`,
    );
    return erase();
  });
  const counts = Object.entries(erased).map(([kind, count]) => `${kind}: ${count}`);
  return { ok: true, message: `Erased the data of this visitor (${counts.join(", ")})` };
}
