/**
 * Confirms an address by a mail's link. Opening the link confirms nothing, because mail scanners open links. Without
 * a token the form requests another mail for the signed-in user.
 */
import { VerifyEmailInput } from "@/contract/accounts/email-proof";
import type { EmailProof } from "@/modules/auth/email-proof/email-proof";
import { answerAccountPage, seeOther } from "./answers";
import { type FormState, formReader, formWithoutFaults } from "./form";
import type { AccountTheme } from "./look";
import { isFieldRefused, type Pages, type PageVisit } from "./pages";
import { PATHS } from "./paths";
import { Alert, Hidden, More, messagePage, Page } from "./view";

const readProof = formReader(VerifyEmailInput);

export interface VerifyEmailParts {
  pages: Pages;
  emailProof: EmailProof;
}

export function createVerifyEmailPage({ pages, emailProof }: VerifyEmailParts) {
  return {
    show: pages.handleGet(async (visit) => {
      const token = visit.query.get("token");
      return token === null ? seeOther(PATHS.home) : shown(visit, formWithoutFaults({ token }));
    }),

    send: pages.handleForm({
      sentences: () => ({ fields: {} }),
      async respond(visit, { token }) {
        if (token === undefined) return askAgain(visit);
        await emailProof.use(readProof({ token }), visit.caller);
        return done(visit.look);
      },
      async again(visit, { state, ...init }, error) {
        return isFieldRefused(error, "token") ? over(visit.look) : shown(visit, state, init);
      },
    }),
  };

  async function shown({ look }: PageVisit, state: FormState, init = {}): Promise<Response> {
    const { token } = state.values;
    if (token === undefined) return answerAccountPage(look, againView(look, state), init);
    const asked = await emailProof.find(token);
    if (!asked) return over(look);
    return asked.isProven ? done(look) : answerAccountPage(look, view(look, asked.email, state), init);
  }

  async function askAgain(visit: PageVisit): Promise<Response> {
    const session = await pages.sessionOf(visit.request);
    if (!session) return seeOther(PATHS.signIn);
    await emailProof.askAgain(session, visit.caller);
    const { sent } = visit.look.words.verify;
    return answerAccountPage(visit.look, messagePage(visit.look, sent, [[PATHS.home, visit.look.words.missing.home]]));
  }
}

const done = (look: AccountTheme): Response =>
  answerAccountPage(look, messagePage(look, look.words.verify.done, [[PATHS.home, look.words.moment.goOn]]));

const over = (look: AccountTheme): Response =>
  answerAccountPage(look, messagePage(look, look.words.verify.over, [[PATHS.home, look.words.missing.home]]), {
    status: 410,
  });

function view(look: AccountTheme, email: string, { values, alert }: FormState): string {
  const { verify } = look.words;
  return Page({
    look,
    title: verify.title,
    children: (
      <>
        <h1 safe>{verify.title}</h1>
        <p>
          <bdi safe>{email}</bdi>
        </p>
        {alert ? <Alert text={alert} /> : <p safe>{verify.text}</p>}
        <form method="post" action={PATHS.verifyEmail}>
          <Hidden name="token" value={values.token} />
          <button type="submit" safe>
            {verify.button}
          </button>
        </form>
        <More links={[[PATHS.resetPassword, verify.notMe]]} />
      </>
    ),
  });
}

/** Shown when another mail could not be sent. */
const againView = (look: AccountTheme, { alert }: FormState): string =>
  messagePage(look, { title: look.words.verify.title, text: alert ?? "" }, [[PATHS.home, look.words.missing.home]]);

/** Asks a signed-in user who has not confirmed their address to do so. */
export const AskToVerify = ({ look: { words } }: { look: AccountTheme }) => (
  <>
    <p safe>{words.verify.ask}</p>
    <form method="post" action={PATHS.verifyEmail}>
      <button type="submit" safe>
        {words.verify.again}
      </button>
    </form>
  </>
);
