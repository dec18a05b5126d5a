import type { Mail } from "@/platform/mail";

/** Contains nothing that a stranger could have chosen: anyone may register an address that is not theirs. */
export const proofMail = (to: string, { proofUrl }: { proofUrl: string }): Mail => ({
  to,
  subject: "Confirm your email address for Waymark",
  text: `Someone, most likely you, created a Waymark account with this email address. If it was you, open this link to confirm
it:

${proofUrl}

The link works for one week. Until you confirm, the account cannot invite anyone or enable two-factor authentication,
and after a day someone else can register the address.

If it was not you, do not confirm: whoever created the account would keep it. You do not need to do anything. To claim
the address for yourself, reset the account's password; this removes everything created with it.
`,
});
