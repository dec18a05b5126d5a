import type { Mail } from "@/platform/mail";

/** Contains nothing that a stranger could have chosen: anyone may register an address that is not theirs. */
export const resetMail = (to: string, { resetUrl, makesAnew }: { resetUrl: string; makesAnew: boolean }): Mail => ({
  to,
  subject: "Reset your Waymark password",
  text: `Someone, most likely you, asked to reset the password of your Waymark account. Open this link to set a new one:

${resetUrl}

The link works once, within an hour. A new password signs you out everywhere and ends your access tokens.${makesAnew ? ANEW : ""}

If it was not you, ignore this mail: your password stays the same.
`,
});

const ANEW = `

Nobody has confirmed this address yet, so a new password starts the account afresh and removes everything created with
it. To keep it, confirm the address first: the link is in the mail you got when you registered.`;
