/**
 * The targets of links in earlier mails, which carried their token in the fragment. These pages explain how to get a
 * new link and read no fragment: a token that a short link could have carried away must never be used. They respond
 * directly, because a redirect would pass the fragment on.
 */
import { answerAccountPage } from "./answers";
import type { Pages } from "./pages";
import { PATHS } from "./paths";
import { messagePage } from "./view";

const GONE = { status: 410 };

export const createOlderLinkPages = ({ pages }: { pages: Pages }) => ({
  resetPassword: pages.handleGet(async ({ look }) => {
    const { older, reset } = look.words;
    const said = { title: older.title, text: older.reset };
    return answerAccountPage(look, messagePage(look, said, [[PATHS.resetPassword, reset.again]]), GONE);
  }),

  invite: pages.handleGet(async ({ look }) => {
    const { older, invite } = look.words;
    const said = { title: older.title, text: older.invite };
    return answerAccountPage(look, messagePage(look, said, [[PATHS.signIn, invite.hasAccount]]), GONE);
  }),
});
