/** Who is signed in, and out again. */
import type { AuthSession } from "@/contract/accounts/auth";
import type { SignedIn } from "@/http/access";
import { isFromElsewhere } from "@/http/same-origin";
import type { SessionCookie } from "@/http/session-cookie";
import type { AuthService } from "@/modules/auth/service";
import { attribute } from "@/pages/frame";
import { answerAccountPage, seeOther } from "./answers";
import type { AccountTheme } from "./look";
import type { Pages, PageVisit } from "./pages";
import { PATHS, withQuery } from "./paths";
import { ssoAlert } from "./sign-in";
import { AskToVerify } from "./verify-email";
import { Alert, More, Page, saidPage } from "./view";

export interface HomeParts {
  pages: Pages;
  cookie: SessionCookie;
  auth: Pick<AuthService, "me" | "logout">;
}

export const createHomePage = ({ pages, cookie, auth }: HomeParts) => ({
  show: pages.shown(async (visit) => {
    const { look, query, request } = visit;
    const session = await pages.sessionOf(visit);
    if (session) return answerAccountPage(look, view(look, await auth.me(session), ssoAlert(look, query.get("error"))));
    // A cookie for this site alone stays behind when another one leads here; it comes along when this page asks again.
    if (isFromElsewhere(request) && cookie.read(request) === undefined) return askAgain(visit);
    return seeOther(withQuery(PATHS.signIn, { error: query.get("error") ?? undefined }));
  }),

  missing: pages.shown(async ({ look }) => {
    const { home, ...said } = look.words.missing;
    return answerAccountPage(look, saidPage(look, said, [[PATHS.home, home]]), { status: 404 });
  }),

  signOut: pages.sent({
    sentences: () => ({ fields: {} }),
    async respond(visit) {
      const session: SignedIn | undefined = await pages.sessionOf(visit);
      if (session) await auth.logout(session);
      return seeOther(withQuery(PATHS.signIn, { done: "signedOut" }), [cookie.forget()]);
    },
    again: async (_, __, error) => Promise.reject(error),
  }),
});

function askAgain({ look, path, query }: PageVisit): Response {
  const { title, text, goOn } = look.words.moment;
  const same = query.size > 0 ? `${path}?${query}` : path;
  const html = Page({
    look,
    title,
    head: <meta http-equiv="refresh" content={attribute(`0;url=${same}`)} />,
    children: (
      <>
        <h1 safe>{title}</h1>
        <p safe>{text}</p>
        <More links={[[same, goOn]]} />
      </>
    ),
  });
  return answerAccountPage(look, html);
}

function view(look: AccountTheme, { user, organizations }: AuthSession, alert: string | undefined): string {
  const { home } = look.words;
  return Page({
    look,
    title: home.title,
    children: (
      <>
        <h1 safe>{home.title}</h1>
        <Alert text={alert} />
        <p>
          {home.signedInAs} <bdi safe>{user.email}</bdi>
        </p>
        {organizations.length > 0 ? (
          <>
            <h2 safe>{home.organizations}</h2>
            <ul class="list">
              {organizations.map(({ name }) => (
                <li dir="auto" safe>
                  {name}
                </li>
              ))}
            </ul>
          </>
        ) : (
          ""
        )}
        {user.emailVerified ? "" : <AskToVerify look={look} />}
        <p safe>{home.text}</p>
        <form method="post" action={PATHS.signOut}>
          <button type="submit" safe>
            {home.signOut}
          </button>
        </form>
        <More links={[["/docs", "API"]]} />
      </>
    ),
  });
}
