import type { Mail } from "@/platform/mail";

/** Holds nothing that a stranger could have chosen: anyone may register an address that is not theirs. */
export const proofMail = (to: string, { proofUrl }: { proofUrl: string }): Mail => ({
  to,
  subject: "Confirm your email address for Waymark",
  text: `Somebody, most likely you, made a Waymark account with this email address. If it was you, open this link and confirm:

${proofUrl}

The link works for a week. Until you confirm, the account cannot invite anybody or enable two-factor, and after a day
somebody else may register the address.

If it was not you, do not confirm: whoever made the account would keep it. You need do nothing. To take the address for
yourself, reset the account's password: that ends whatever was made with it.
`,
});
