/**
 * Whether a visit is let in, for redirects, forms and resolves alike. The gate says what has to be asked, and in which
 * order: whether there is room, then the password. A place of `maxClicks` is taken last, by a visit that nothing else
 * refuses; where that is all there is to ask, room is not asked for first.
 */
import type { CompiledLink } from "@/core/routing/compiled-link";
import { checkGate, type GateVisit } from "@/core/routing/gate";
import type { ClickLimit } from "./click-limit";
import type { Hit } from "./hit";
import type { CheckPassword } from "./link-password";
import type { Refused } from "./refusals";

export interface Admitting {
  /** Whether the visit is to use up one of `maxClicks`. */
  takesPlace: boolean;
  password(): string | null;
}

/** Why the visit is not let in; null when it is. Rejects when what has to be asked cannot be. */
export type Admit = (link: CompiledLink, hit: Hit, how: Admitting) => Promise<Refused | null>;

export function createAdmit({
  checkPassword,
  clickLimit,
}: {
  checkPassword: CheckPassword;
  clickLimit: ClickLimit;
}): Admit {
  return async (link, hit, { takesPlace, password }) => {
    const { definition } = link;
    const { gate } = definition;
    const max = gate.maxClicks ?? Number.POSITIVE_INFINITY;
    const known: GateVisit = { now: hit.at };
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

const USED_UP: Refused = { reason: "max_clicks_reached" };
