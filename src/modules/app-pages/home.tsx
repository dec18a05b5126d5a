/** The dashboard's page for signed-in users, and signing out. */
import type { AuthSession } from "@/contract/accounts/auth";
import type { SignedIn } from "@/http/access";
import { dashboardFiles } from "@/http/dashboard/files";
import { isCrossOrigin } from "@/http/same-origin";
import type { SessionCookie } from "@/http/session-cookie";
import type { AuthService } from "@/modules/auth/service";
import { attribute } from "@/pages/frame";
import { answerAccountPage, seeOther } from "./answers";
import { answerDashboard } from "./dashboard";
import type { AccountTheme } from "./look";
import type { Pages, PageVisit } from "./pages";
import { PATHS, withQuery } from "./paths";
import { ssoAlert } from "./sign-in";
import { AskToVerify } from "./verify-email";
import { More, messagePage, Page } from "./view";

export interface HomeParts {
  pages: Pages;
  cookie: SessionCookie;
  auth: Pick<AuthService, "me" | "logout">;
}

export const createHomePage = ({ pages, cookie, auth }: HomeParts) => ({
  show: pages.handleGet(async (visit) => {
    const { look, path, query, request } = visit;
    const session = await pages.sessionOf(visit.request);
    if (session) {
      // Whoever is signed in can sign in to another organization as well.
      const failure = ssoAlert(look, query.get("error"));
      if (failure !== undefined) return failedSignIn(look, failure);
      const shown = { withoutScript: withoutScript(look, await auth.me(session)), address: addressOf(visit) };
      return answerDashboard(look, await dashboardFiles(), shown);
    }
    // On a navigation from another site the browser withholds the same-site cookie; it sends it when this page
    // reloads itself.
    if (isCrossOrigin(request) && cookie.read(request) === undefined) return askAgain(visit);
    const returnTo = path === PATHS.home ? undefined : addressOf(withoutError(visit));
    return seeOther(withQuery(PATHS.signIn, { error: query.get("error") ?? undefined, returnTo }));
  }),

  /** Shows the components that the dashboard is built from. */
  gallery: pages.handleGet(async (visit) =>
    answerDashboard(visit.look, await dashboardFiles(), { withoutScript: "", address: addressOf(visit) }),
  ),

  missing: pages.handleGet(async ({ look }) => {
    const { home, ...said } = look.words.missing;
    return answerAccountPage(look, messagePage(look, said, [[PATHS.home, home]]), { status: 404 });
  }),

  signOut: pages.handleForm({
    sentences: () => ({ fields: {} }),
    async respond(visit) {
      const session: SignedIn | undefined = await pages.sessionOf(visit.request);
      if (session) await auth.logout(session);
      return seeOther(withQuery(PATHS.signIn, { done: "signedOut" }), [cookie.forget()]);
    },
    again: async (_, __, error) => Promise.reject(error),
  }),
});

/** Whoever signs in after a single sign-on that failed is past that failure. */
function withoutError({ path, query }: PageVisit): Pick<PageVisit, "path" | "query"> {
  const others = new URLSearchParams(query);
  others.delete("error");
  return { path, query: others };
}

const addressOf = ({ path, query }: Pick<PageVisit, "path" | "query">): string =>
  query.size > 0 ? `${path}?${query}` : path;

function failedSignIn(look: AccountTheme, text: string): Response {
  const { signIn, missing } = look.words;
  return answerAccountPage(look, messagePage(look, { title: signIn.title, text }, [[PATHS.home, missing.home]]));
}

function askAgain(visit: PageVisit): Response {
  const { look } = visit;
  const { title, text, goOn } = look.words.moment;
  const same = addressOf(visit);
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

/** The dashboard page for a browser without JavaScript: who is signed in, and how to sign out. */
function withoutScript(look: AccountTheme, { user, organizations }: AuthSession): string {
  const { home } = look.words;
  return String(
    <>
      <p>
        {home.signedInAs} <bdi safe>{user.email}</bdi>
      </p>
      <ul>
        {organizations.map(({ name }) => (
          <li dir="auto" safe>
            {name}
          </li>
        ))}
      </ul>
      <p safe>{home.needsScript}</p>
      {user.emailVerified ? "" : <AskToVerify look={look} />}
      <form method="post" action={PATHS.signOut}>
        <button type="submit" safe>
          {home.signOut}
        </button>
      </form>
    </>,
  );
}
