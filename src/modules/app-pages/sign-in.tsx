/** Signs in with email and password, and with a second factor if the account has one. */
import { type AuthSession, LoginInput } from "@/contract/accounts/auth";
import { type LoginAnswer, TwoFactorLoginInput } from "@/contract/accounts/two-factor";
import { APP_PATH, appPath } from "@/http/app-path";
import type { SessionCookie } from "@/http/session-cookie";
import type { RegistrationRules } from "@/modules/auth/registration";
import type { AuthService } from "@/modules/auth/service";
import type { WithBrowserCookies } from "@/modules/auth/sessions/sessions";
import type { Challenges } from "@/modules/auth/two-factor/challenges";
import type { SsoEntry } from "@/modules/sso/entry";
import type { Db } from "@/platform/db/tx";
import { answerAccountPage, type PageInit, seeOther } from "./answers";
import { type FormState, type FormValues, formReader, formWithoutFaults, type Sentences } from "./form";
import type { AccountTheme } from "./look";
import { isFieldRefused, type Pages, type PageVisit } from "./pages";
import { PATHS, withQuery } from "./paths";
import { Alert, Field, Hidden, More, messagePage, Notice, Page } from "./view";
import { SSO_REASONS } from "./words";

const readLogin = formReader(LoginInput);
const readCode = formReader(TwoFactorLoginInput);

/** Says whether a page is to offer a registration. */
export interface RegistrationParts {
  db: Db;
  registration: Pick<RegistrationRules, "isOffered">;
}

export interface SignInParts extends RegistrationParts {
  pages: Pages;
  cookie: SessionCookie;
  auth: Pick<AuthService, "login">;
  challenges: Pick<Challenges, "answer">;
  ssoEntry: SsoEntry;
}

export type SignInPages = ReturnType<typeof createSignInPages>;

export function createSignInPages({ pages, cookie, auth, challenges, ssoEntry, db, registration }: SignInParts) {
  return {
    show: pages.handleGet(async (visit) => {
      if (await pages.sessionOf(visit.request)) return seeOther(returnOf(visit.query.get("returnTo")));
      const { look, query } = visit;
      const alert = ssoAlert(look, query.get("error"));
      const values = { returnTo: appPath(query.get("returnTo") ?? "") ?? "" };
      return shown(visit, { ...formWithoutFaults(values), alert }, noticeOf(look, query.get("done")));
    }),

    send: pages.handleForm({
      sentences,
      async respond(visit, values) {
        const { email = "", password = "" } = values;
        const answer = await auth.login(readLogin({ email, password }), visit.caller);
        return answered(visit, answer, values);
      },
      again: async (visit, { state, ...init }) => shown(visit, state, undefined, init),
    }),

    sendCode: pages.handleForm({
      sentences: ({ words }) => ({
        fields: { code: { malformed: words.faults.required } },
        statuses: { 400: words.code.wrong, 401: words.code.wrong },
      }),
      async respond({ caller }, values) {
        const { challengeToken = "", code = "", inviteToken } = values;
        const session = await challenges.answer(readCode({ challengeToken, code, inviteToken }), caller);
        return entered(session, values);
      },
      async again({ look }, { state, ...init }, error) {
        if (isFieldRefused(error, "inviteToken"))
          return answerAccountPage(look, messagePage(look, look.words.invite.over), { status: 410 });
        return answerAccountPage(look, codeView(look, state), init);
      },
    }),

    answered,
    entered,
  };

  async function shown({ look, request }: PageVisit, state: FormState, notice?: string, init?: PageInit) {
    const ssoUrl = await ssoEntry.find(request, state.values.returnTo);
    // An organization's own host leads to that organization alone.
    const asksForSso = ssoUrl === undefined && look.brand === null && (await ssoEntry.isOffered());
    const offersAccount = await registration.isOffered(db, false);
    return answerAccountPage(look, view(look, state, { notice, ssoUrl, asksForSso, offersAccount }), init);
  }

  /** Responds after a right password: signs in, or asks for a code. `values`: what to carry on to the next step. */
  function answered(
    { look }: PageVisit,
    given: WithBrowserCookies<LoginAnswer>,
    { returnTo, inviteToken }: FormValues,
  ): Response {
    const { answer, cookies } = given;
    const kept = { ...(returnTo && { returnTo }), ...(inviteToken && { inviteToken }) };
    if (!("twoFactorRequired" in answer)) return entered({ answer, cookies }, kept);
    return answerAccountPage(
      look,
      codeView(look, formWithoutFaults({ ...kept, challengeToken: answer.challengeToken })),
    );
  }

  /** Opens a session in the browser; no other page does so. */
  function entered({ answer, cookies }: WithBrowserCookies<AuthSession>, { returnTo }: FormValues): Response {
    return seeOther(returnOf(returnTo), [cookie.keep(answer.token), ...cookies]);
  }
}

export const returnOf = (given: string | null | undefined): string => appPath(given ?? "") ?? APP_PATH;

export const sentences = ({ words }: AccountTheme): Sentences => ({
  fields: { email: { malformed: words.faults.email }, password: { malformed: words.faults.required } },
  statuses: { 401: words.signIn.wrong },
});

function noticeOf({ words: { done } }: AccountTheme, name: string | null): string | undefined {
  return name === "signedOut" || name === "password" ? done[name] : undefined;
}

/** Returns the message for a failed single sign-on; undefined for an unknown code. */
export function ssoAlert({ words }: AccountTheme, code: string | null): string | undefined {
  const known = Object.entries(SSO_REASONS).find(([each]) => each === code);
  return known && words.sso[known[1]];
}

interface Around {
  notice: string | undefined;
  /** Where the organization's single sign-on starts, if it has one. */
  ssoUrl: string | undefined;
  /** Otherwise: whether to offer the page that asks for an organization. */
  asksForSso: boolean;
  offersAccount: boolean;
}

function view(
  look: AccountTheme,
  { values, faults, alert }: FormState,
  { notice, ssoUrl, asksForSso, offersAccount }: Around,
): string {
  const { words } = look;
  const { returnTo } = values;
  const { fields, signIn } = words;
  return Page({
    look,
    title: signIn.title,
    children: (
      <>
        <h1 safe>{signIn.title}</h1>
        <Notice text={notice} />
        <Alert text={alert} />
        <form method="post" action={PATHS.signIn}>
          <EmailField label={fields.email} values={values} fault={faults.email} />
          <PasswordField label={fields.password} fault={faults.password} />
          <Hidden name="returnTo" value={returnTo} />
          <button type="submit" safe>
            {signIn.button}
          </button>
        </form>
        <More
          links={[
            ...(ssoUrl === undefined ? [] : [[ssoUrl, signIn.sso] as const]),
            ...(asksForSso ? [[PATHS.sso, signIn.ssoOf] as const] : []),
            [withQuery(PATHS.resetPassword, { returnTo }), signIn.forgotten],
            ...(offersAccount ? [[withQuery(PATHS.register, { returnTo }), signIn.register] as const] : []),
          ]}
        />
      </>
    ),
  });
}

export const EmailField = ({
  label,
  values,
  fault,
}: {
  label: string;
  values: FormValues;
  fault: string | undefined;
}) => (
  <Field
    name="email"
    label={label}
    type="email"
    autocomplete="username"
    value={values.email}
    fault={fault}
    maxlength={254}
    isFocused={!values.email}
  />
);

/** Shows whose password is asked for, to people and to their password managers. */
export const AccountField = ({ label, email, fault }: { label: string; email?: string; fault?: string }) => (
  <Field
    name="email"
    label={label}
    type="email"
    autocomplete="username"
    value={email}
    fault={fault}
    maxlength={254}
    isReadonly
  />
);

/** The password of an existing account. */
export const PasswordField = ({ label, fault }: { label: string; fault: string | undefined }) => (
  <Field name="password" label={label} type="password" autocomplete="current-password" fault={fault} maxlength={128} />
);

function codeView(look: AccountTheme, { values, faults, alert }: FormState): string {
  const { code, fields, hints } = look.words;
  return Page({
    look,
    title: code.title,
    children: (
      <>
        <h1 safe>{code.title}</h1>
        {alert ? <Alert text={alert} /> : <p safe>{code.text}</p>}
        <form method="post" action={PATHS.code}>
          <Field
            name="code"
            label={fields.code}
            autocomplete="one-time-code"
            hint={hints.code}
            fault={faults.code}
            maxlength={64}
            isFocused
          />
          <Hidden name="challengeToken" value={values.challengeToken} />
          <Hidden name="inviteToken" value={values.inviteToken} />
          <Hidden name="returnTo" value={values.returnTo} />
          <button type="submit" safe>
            {code.button}
          </button>
        </form>
        <More links={[[startOf(values), code.again]]} />
      </>
    ),
  });
}

/** The page where a sign-in that has to start again began. */
const startOf = ({ inviteToken, returnTo }: FormValues): string =>
  inviteToken ? withQuery(PATHS.invite, { token: inviteToken, account: "yes" }) : withQuery(PATHS.signIn, { returnTo });
