/**
 * Decides whether a visit is admitted, for redirects, forms and resolves alike. The gate determines what must be
 * checked, and in which order: first whether a place is left, then the password. A place of `maxClicks` is taken
 * last, by a visit that nothing else refuses. If that is the only check, whether a place is left is not checked
 * beforehand.
 */
import type { CompiledLink } from "@/core/routing/compiled-link";
import { checkGate, type GateVisit } from "@/core/routing/gate";
import type { ClickLimit } from "./click-limit";
import type { Hit } from "./hit";
import type { CheckPassword } from "./link-password";
import type { VisitRefusal } from "./refusals";

export interface Admitting {
  /** Whether the visit uses up one of the `maxClicks` places. */
  takesPlace: boolean;
  /** Whether the visit has taken its place before. */
  hasPlace?: boolean;
  password(): string | null;
}

/** Resolves to why the visit is refused, or to null if it is admitted. Rejects if a check cannot be made. */
export type Admit = (link: CompiledLink, hit: Hit, how: Admitting) => Promise<VisitRefusal | null>;

export function createAdmit({
  checkPassword,
  clickLimit,
}: {
  checkPassword: CheckPassword;
  clickLimit: ClickLimit;
}): Admit {
  return async (link, hit, { takesPlace, hasPlace = false, password }) => {
    const { definition } = link;
    const { gate } = definition;
    const max = gate.maxClicks ?? Number.POSITIVE_INFINITY;
    const known: GateVisit = { now: hit.at, admitted: hasPlace ? 0 : undefined };
    for (;;) {
      const answer = checkGate(gate, known);
      if (answer.does === "refuse") return answer.refusal;
      if (answer.does === "admit") {
        const isOut = gate.maxClicks !== null && takesPlace && !(await clickLimit.admit(definition, max));
        return isOut ? USED_UP : null;
      }
      if (answer.for === "admitted") {
        const isAskedLast = takesPlace && gate.passwordHash === null;
        known.admitted = isAskedLast || (await clickLimit.hasRoom(definition.id, max)) ? 0 : max;
      } else {
        const checked = await checkPassword(link, password(), { address: hit.address, signal: hit.request.signal });
        if (typeof checked === "object") return { reason: "attempts", ...checked };
        known.password = checked;
      }
    }
  };
}

const USED_UP: VisitRefusal = { reason: "max_clicks_reached" };
