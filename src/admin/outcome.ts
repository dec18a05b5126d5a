/** What commands return, and the refusals that several share. */
import { PLANS } from "@/contract/accounts/plans";

export interface CommandOutcome {
  ok: boolean;
  message: string;
}

export const noOrganization = (name: string): CommandOutcome => ({
  ok: false,
  message: `There is no organization ${name}`,
});
export const noAccount = (email: string): CommandOutcome => ({
  ok: false,
  message: `No account has the email ${email}`,
});
export const noPlan = (name: string): CommandOutcome => ({
  ok: false,
  message: `There is no plan ${name}: choose one of ${PLANS.join(", ")}`,
});
