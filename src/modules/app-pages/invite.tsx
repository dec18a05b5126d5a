/** Accepts an invitation, with a new account or an existing one. Opening the link does not use it up. */
import { InvitedRegisterInput, LoginInput } from "@/contract/accounts/auth";
import type { AuthService } from "@/modules/auth/service";
import type { OpenInvitation } from "@/modules/members/invitations";
import { answerAccountPage } from "./answers";
import { type FormState, type FormValues, formReader, formWithoutFaults } from "./form";
import type { AccountTheme } from "./look";
import { isFieldRefused, type Pages, type PageVisit } from "./pages";
import { PATHS, withQuery } from "./paths";
import { NameField, NewPasswordField, registerSentences } from "./register";
import {
  AccountField,
  PasswordField,
  type RegistrationParts,
  type SignInPages,
  sentences as signInSentences,
} from "./sign-in";
import { Alert, Hidden, More, messagePage, Page } from "./view";

const readRegistration = formReader(InvitedRegisterInput);
const readLogin = formReader(LoginInput);

export interface InviteParts extends RegistrationParts {
  pages: Pages;
  signIn: Pick<SignInPages, "answered" | "entered">;
  auth: Pick<AuthService, "register" | "login">;
  members: { findOpenInvitation(inviteToken: string): Promise<OpenInvitation | undefined> };
}

export function createInvitePage({ pages, signIn, auth, members, db, registration }: InviteParts) {
  return {
    show: pages.handleGet(async (visit) => {
      const { token, account } = Object.fromEntries(visit.query);
      return shown(visit, formWithoutFaults({ inviteToken: token ?? "", ...(account && { account }) }));
    }),

    send: pages.handleForm({
      sentences: (look, values) => (values.account ? signInSentences(look) : registerSentences(look)),
      async respond(visit, values) {
        const { name = "", email = "", password = "", inviteToken = "", account } = values;
        if (account) {
          const answer = await auth.login(readLogin({ email, password, inviteToken }), visit.caller);
          return signIn.answered(visit, answer, { inviteToken });
        }
        const input = readRegistration({ name, email, password, inviteToken });
        return signIn.entered(await auth.register(input, visit.caller), {});
      },
      async again(visit, { state, ...init }, error) {
        return isFieldRefused(error, "inviteToken") ? over(visit.look) : shown(visit, state, init);
      },
    }),
  };

  async function shown({ look }: PageVisit, state: FormState, init = {}): Promise<Response> {
    const invitation = await members.findOpenInvitation(state.values.inviteToken ?? "");
    if (!invitation) return over(look);
    const offersAccount = await registration.isOffered(db, true);
    return answerAccountPage(look, view(look, invitation, state, offersAccount), init);
  }
}

const over = (look: AccountTheme): Response =>
  answerAccountPage(look, messagePage(look, look.words.invite.over, [[PATHS.home, look.words.missing.home]]), {
    status: 410,
  });

function view(
  look: AccountTheme,
  { organization, email }: OpenInvitation,
  { values, faults, alert }: FormState,
  offersAccount: boolean,
): string {
  const { invite, fields, sso } = look.words;
  const isMember = Boolean(values.account) || !offersAccount;
  return Page({
    look,
    title: invite.title,
    children: (
      <>
        <h1>
          {invite.title} <bdi safe>{organization}</bdi>
        </h1>
        {alert ? <Alert text={alert} /> : <p safe>{invite.text}</p>}
        <form method="post" action={PATHS.invite}>
          <AccountField label={fields.email} email={email} fault={faults.email} />
          {isMember ? (
            <PasswordField label={fields.password} fault={faults.password} />
          ) : (
            <>
              <NameField label={fields.name} value={values.name} fault={faults.name} />
              <NewPasswordField look={look} label={fields.password} fault={faults.password} />
            </>
          )}
          <Hidden name="inviteToken" value={values.inviteToken} />
          <Hidden name="account" value={isMember ? "yes" : undefined} />
          <button type="submit" safe>
            {isMember ? invite.signIn : invite.register}
          </button>
        </form>
        {offersAccount ? "" : <p safe>{sso.closed}</p>}
        <More
          links={[
            ...(offersAccount ? [otherWay(look, values, isMember)] : []),
            ...(isMember ? [forgotten(look, values)] : []),
          ]}
        />
      </>
    ),
  });
}

function otherWay(
  { words: { invite } }: AccountTheme,
  { inviteToken }: FormValues,
  isMember: boolean,
): [string, string] {
  const path = withQuery(PATHS.invite, { token: inviteToken, account: isMember ? undefined : "yes" });
  return [path, isMember ? invite.hasNone : invite.hasAccount];
}

/** Leads back here once a new password is set. */
function forgotten({ words: { signIn } }: AccountTheme, { inviteToken }: FormValues): [string, string] {
  const returnTo = withQuery(PATHS.invite, { token: inviteToken, account: "yes" });
  return [withQuery(PATHS.resetPassword, { returnTo }), signIn.forgotten];
}
