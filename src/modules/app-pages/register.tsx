/** Creates an account with its organization. */
import { RegisterInput } from "@/contract/accounts/auth";
import { appPath } from "@/http/app-path";
import type { AuthService } from "@/modules/auth/service";
import { answerAccountPage, seeOther } from "./answers";
import { type FormState, formReader, formWithoutFaults, type Sentences } from "./form";
import type { AccountTheme } from "./look";
import type { Pages } from "./pages";
import { PATHS, withQuery } from "./paths";
import { type RegistrationParts, returnOf, type SignInPages } from "./sign-in";
import { Alert, Field, Hidden, More, messagePage, Page } from "./view";

const readRegistration = formReader(RegisterInput);

export interface RegisterParts extends RegistrationParts {
  pages: Pages;
  signIn: Pick<SignInPages, "entered">;
  auth: Pick<AuthService, "register">;
}

export const createRegisterPage = ({ pages, signIn, auth, db, registration }: RegisterParts) => ({
  show: pages.handleGet(async ({ look, query, request }) => {
    const given = query.get("returnTo") ?? "";
    if (await pages.sessionOf(request)) return seeOther(returnOf(given));
    const returnTo = appPath(given) ?? "";
    return (await registration.isOffered(db, false))
      ? answerAccountPage(look, view(look, formWithoutFaults({ returnTo })))
      : answerAccountPage(look, refusal(look, returnTo), { status: 403 });
  }),

  send: pages.handleForm({
    sentences: (look) => ({ ...registerSentences(look), statuses: { 403: look.words.register.refused } }),
    async respond({ caller }, { name = "", email = "", password = "", organizationName = "" }) {
      const input = readRegistration({ name, email, password, organizationName });
      // Not to where the person was going: no other organization is open to a new account.
      return signIn.entered(await auth.register(input, caller), {});
    },
    again: async ({ look }, { state, ...init }) => answerAccountPage(look, view(look, state), init),
  }),
});

export const registerSentences = ({ words: { faults } }: AccountTheme): Sentences => ({
  fields: {
    name: { malformed: faults.required },
    email: { malformed: faults.email, refused: faults.emailTaken },
    password: { malformed: faults.passwordLength, refused: faults.passwordWeak },
    organizationName: { malformed: faults.required },
  },
});

function refusal(look: AccountTheme, returnTo: string): string {
  const { register, signIn } = look.words;
  const said = { title: register.title, text: register.refused };
  return messagePage(look, said, [[withQuery(PATHS.signIn, { returnTo }), signIn.title]]);
}

function view(look: AccountTheme, { values, faults, alert }: FormState): string {
  const { fields, register } = look.words;
  return Page({
    look,
    title: register.title,
    children: (
      <>
        <h1 safe>{register.title}</h1>
        <Alert text={alert} />
        <form method="post" action={PATHS.register}>
          <NameField label={fields.name} value={values.name} fault={faults.name} />
          <Field
            name="email"
            label={fields.email}
            type="email"
            autocomplete="username"
            value={values.email}
            fault={faults.email}
            maxlength={254}
          />
          <NewPasswordField look={look} label={fields.password} fault={faults.password} />
          <Field
            name="organizationName"
            label={fields.organization}
            autocomplete="organization"
            value={values.organizationName}
            fault={faults.organizationName}
            maxlength={120}
          />
          <Hidden name="returnTo" value={values.returnTo} />
          <button type="submit" safe>
            {register.button}
          </button>
        </form>
        <More links={[[withQuery(PATHS.signIn, { returnTo: values.returnTo }), register.signIn]]} />
      </>
    ),
  });
}

export const NameField = ({ label, value, fault }: Record<"label", string> & { value?: string; fault?: string }) => (
  <Field name="name" label={label} autocomplete="name" value={value} fault={fault} maxlength={120} isFocused={!value} />
);

export const NewPasswordField = ({
  look,
  label,
  fault,
}: {
  look: AccountTheme;
  label: string;
  fault: string | undefined;
}) => (
  <Field
    name="password"
    label={label}
    type="password"
    autocomplete="new-password"
    hint={look.words.hints.password}
    fault={fault}
    minlength={8}
    maxlength={128}
  />
);
