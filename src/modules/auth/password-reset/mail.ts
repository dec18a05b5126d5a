import type { Mail } from "@/platform/mail";

/** Holds nothing that a stranger could have chosen: anyone may register an address that is not theirs. */
export const resetMail = (to: string, { resetUrl, makesAnew }: { resetUrl: string; makesAnew: boolean }): Mail => ({
  to,
  subject: "Reset your Waymark password",
  text: `Somebody, most likely you, asked to reset the password of your Waymark account. Follow this link to set a new one:

${resetUrl}

The link works once, within an hour. A new password signs you out everywhere.${makesAnew ? ANEW : ""}

If it was not you, there is nothing to do: your password stays as it is.
`,
});

const ANEW = `

Nobody has confirmed this address yet, so a new password makes the account anew, and what was made with it stays behind. If
that was you, confirm the address first: the link is in the mail you got when you registered.`;
