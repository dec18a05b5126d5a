import type { Mail } from "@/platform/mail";

/** Holds nothing that a stranger could have chosen: anyone may register an address that is not theirs. */
export const resetMail = (to: string, link: string): Mail => ({
  to,
  subject: "Reset your Waymark password",
  text: `Somebody, most likely you, asked to reset the password of your Waymark account. Follow this link to set a new one:

${link}

The link works once, within an hour. A new password signs you out everywhere.

If it was not you, there is nothing to do: your password stays as it is.
`,
});
