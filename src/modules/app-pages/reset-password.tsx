/**
 * Requests the mail for a forgotten password, and sets a new one with its link. Opening the link does not use it up.
 */
import { PasswordForgottenInput, PasswordResetInput } from "@/contract/accounts/password-reset";
import { appPath } from "@/http/app-path";
import type { PasswordReset } from "@/modules/auth/password-reset/password-reset";
import { answerAccountPage, seeOther } from "./answers";
import { type FormState, type FormValues, formReader, formWithoutFaults } from "./form";
import type { AccountTheme } from "./look";
import { isFieldRefused, type Pages } from "./pages";
import { PATHS, withQuery } from "./paths";
import { NewPasswordField } from "./register";
import { keepReturn, keptReturn } from "./return-cookie";
import { AccountField, EmailField } from "./sign-in";
import { Alert, Hidden, More, messagePage, Page } from "./view";

const readForgotten = formReader(PasswordForgottenInput);
const readReset = formReader(PasswordResetInput);

export interface ResetPasswordParts {
  pages: Pages;
  passwordReset: PasswordReset;
  config: { baseUrl: string };
}

export const createResetPasswordPage = ({ pages, passwordReset, config }: ResetPasswordParts) => ({
  show: pages.handleGet(async ({ look, query, request }) => {
    const token = query.get("token");
    if (token === null) {
      const state = formWithoutFaults({ returnTo: appPath(query.get("returnTo") ?? "") ?? "" });
      return answerAccountPage(look, passwordReset.sendsMail ? forgotView(look, state) : noMailView(look, state));
    }
    const email = await passwordReset.emailOf(token);
    return email === undefined
      ? over(look, request)
      : answerAccountPage(look, resetView(look, formWithoutFaults({ token, email })));
  }),

  send: pages.handleForm({
    sentences: ({ words: { faults } }) => ({
      fields: {
        email: { malformed: faults.email },
        password: { malformed: faults.passwordLength, refused: faults.passwordWeak },
      },
    }),
    async respond({ look, caller, request }, { token, email = "", password = "", returnTo = "" }) {
      const keep = (path: string | undefined) => keepReturn(path, config.baseUrl.startsWith("https:"));
      if (token === undefined) {
        await passwordReset.request(readForgotten({ email }).email, caller);
        const headers = { "set-cookie": keep(appPath(returnTo)) };
        return answerAccountPage(look, messagePage(look, look.words.forgot.sent), { headers });
      }
      await passwordReset.use(readReset({ token, password }), caller);
      return seeOther(afterReset(keptReturn(request)), [keep(undefined)]);
    },
    async again({ look, request }, { state, ...init }, error) {
      if (isFieldRefused(error, "token")) return over(look, request);
      const isReset = state.values.token !== undefined;
      return answerAccountPage(look, isReset ? resetView(look, state) : forgotView(look, state), init);
    },
  }),
});

/** An invitation is accepted with the password, so that nobody has to sign in first. */
const afterReset = (returnTo: string | undefined): string =>
  returnTo?.startsWith(`${PATHS.invite}?`) ? returnTo : withQuery(PATHS.signIn, { done: "password", returnTo });

function over(look: AccountTheme, request: Request): Response {
  const { title, over: text, again } = look.words.reset;
  const path = withQuery(PATHS.resetPassword, { returnTo: keptReturn(request) });
  return answerAccountPage(look, messagePage(look, { title, text }, [[path, again]]), { status: 410 });
}

const noMailView = (look: AccountTheme, { values }: FormState): string =>
  messagePage(look, { title: look.words.forgot.title, text: look.words.forgot.noMail }, [
    [beforeReset(values), look.words.signIn.title],
  ]);

/** The page where a person found that they had forgotten their password. */
const beforeReset = ({ returnTo }: FormValues): string =>
  returnTo?.startsWith(`${PATHS.invite}?`) ? returnTo : withQuery(PATHS.signIn, { returnTo });

function forgotView(look: AccountTheme, { values, faults, alert }: FormState): string {
  const { forgot, fields, signIn } = look.words;
  return Page({
    look,
    title: forgot.title,
    children: (
      <>
        <h1 safe>{forgot.title}</h1>
        {alert ? <Alert text={alert} /> : <p safe>{forgot.text}</p>}
        <form method="post" action={PATHS.resetPassword}>
          <EmailField label={fields.email} values={values} fault={faults.email} />
          <Hidden name="returnTo" value={values.returnTo} />
          <button type="submit" safe>
            {forgot.button}
          </button>
        </form>
        <More links={[[beforeReset(values), signIn.title]]} />
      </>
    ),
  });
}

function resetView(look: AccountTheme, { values, faults, alert }: FormState): string {
  const { reset, fields } = look.words;
  return Page({
    look,
    title: reset.title,
    children: (
      <>
        <h1 safe>{reset.title}</h1>
        <Alert text={alert} />
        <form method="post" action={PATHS.resetPassword}>
          <AccountField label={fields.email} email={values.email} />
          <NewPasswordField look={look} label={fields.newPassword} fault={faults.password} />
          <Hidden name="token" value={values.token} />
          <button type="submit" safe>
            {reset.button}
          </button>
        </form>
      </>
    ),
  });
}
