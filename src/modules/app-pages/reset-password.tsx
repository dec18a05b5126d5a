/**
 * Requests the mail for a forgotten password, and sets a new one with its link. Opening the link does not use it up.
 */
import { PasswordForgottenInput, PasswordResetInput } from "@/contract/accounts/password-reset";
import type { PasswordReset } from "@/modules/auth/password-reset/password-reset";
import { answerAccountPage, seeOther } from "./answers";
import { type FormState, formReader, formWithoutFaults } from "./form";
import type { AccountTheme } from "./look";
import { isFieldRefused, type Pages } from "./pages";
import { PATHS, withQuery } from "./paths";
import { NewPasswordField } from "./register";
import { AccountField, EmailField } from "./sign-in";
import { Alert, Hidden, More, messagePage, Page } from "./view";

const readForgotten = formReader(PasswordForgottenInput);
const readReset = formReader(PasswordResetInput);

export interface ResetPasswordParts {
  pages: Pages;
  passwordReset: PasswordReset;
}

export const createResetPasswordPage = ({ pages, passwordReset }: ResetPasswordParts) => ({
  show: pages.handleGet(async ({ look, query }) => {
    const token = query.get("token");
    if (token === null)
      return answerAccountPage(
        look,
        passwordReset.sendsMail ? forgotView(look, formWithoutFaults()) : noMailView(look),
      );
    const email = await passwordReset.emailOf(token);
    return email === undefined
      ? over(look)
      : answerAccountPage(look, resetView(look, formWithoutFaults({ token, email })));
  }),

  send: pages.handleForm({
    sentences: ({ words: { faults } }) => ({
      fields: {
        email: { malformed: faults.email },
        password: { malformed: faults.passwordLength, refused: faults.passwordWeak },
      },
    }),
    async respond({ look, caller }, { token, email = "", password = "" }) {
      if (token === undefined) {
        await passwordReset.request(readForgotten({ email }).email, caller);
        return answerAccountPage(look, messagePage(look, look.words.forgot.sent));
      }
      await passwordReset.use(readReset({ token, password }), caller);
      return seeOther(withQuery(PATHS.signIn, { done: "password" }));
    },
    async again({ look }, { state, ...init }, error) {
      if (isFieldRefused(error, "token")) return over(look);
      const isReset = state.values.token !== undefined;
      return answerAccountPage(look, isReset ? resetView(look, state) : forgotView(look, state), init);
    },
  }),
});

function over(look: AccountTheme): Response {
  const { title, over: text, again } = look.words.reset;
  return answerAccountPage(look, messagePage(look, { title, text }, [[PATHS.resetPassword, again]]), { status: 410 });
}

const noMailView = (look: AccountTheme): string =>
  messagePage(look, { title: look.words.forgot.title, text: look.words.forgot.noMail }, [
    [PATHS.signIn, look.words.signIn.title],
  ]);

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
          <button type="submit" safe>
            {forgot.button}
          </button>
        </form>
        <More links={[[PATHS.signIn, signIn.title]]} />
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
