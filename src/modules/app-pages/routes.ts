/**
 * Server-rendered pages where people sign in, register, set a password and accept an invitation: without JavaScript,
 * in the visitor's language, each a form that calls the same service as the API's route. Opening a URL with a token
 * does not use the token up; submitting the form does.
 */
import { Elysia } from "elysia";
import type { Guard } from "@/http/access";
import { ASSETS_PATH } from "@/http/dashboard/build";
import { SESSION_PATH } from "@/http/dashboard/session-api";
import { seeOther } from "./answers";
import { answerAsset } from "./dashboard";
import { createDraftBioPage, type DraftBioPageParts } from "./drafts/bio-page";
import { createDraftLinkPage, type DraftLinkPageParts } from "./drafts/link-page";
import { createHomePage, type HomeParts } from "./home";
import { createInvitePage, type InviteParts } from "./invite";
import { createLanguageChoice, type LanguageParts } from "./language";
import { createOlderLinkPages } from "./older-links";
import { createPages, type PagesOptions } from "./pages";
import { OLDER_PATHS, PATHS } from "./paths";
import { createRegisterPage, type RegisterParts } from "./register";
import { createResetPasswordPage, type ResetPasswordParts } from "./reset-password";
import { createSessionPage, type SessionParts } from "./session";
import { createSignInPages, type SignInParts } from "./sign-in";
import { createSsoPage, type SsoPageParts } from "./sso";
import { createVerifyEmailPage, type VerifyEmailParts } from "./verify-email";

type PageParts = SignInParts &
  SsoPageParts &
  RegisterParts &
  ResetPasswordParts &
  VerifyEmailParts &
  InviteParts &
  LanguageParts &
  HomeParts &
  DraftBioPageParts &
  DraftLinkPageParts &
  SessionParts;

export type AppPagesParts = Omit<PageParts, "pages" | "signIn"> & PagesOptions;

export function appPageRoutes(options: AppPagesParts, guard: Guard) {
  const parts = { ...options, pages: createPages(options) };
  const signIn = createSignInPages(parts);
  const sso = createSsoPage(parts);
  const home = createHomePage(parts);
  const register = createRegisterPage({ ...parts, signIn });
  const resetPassword = createResetPasswordPage(parts);
  const verifyEmail = createVerifyEmailPage(parts);
  const invite = createInvitePage({ ...parts, signIn });
  const chooseLanguage = createLanguageChoice(parts);
  const drawBioPage = createDraftBioPage(parts);
  const drawLinkPage = createDraftLinkPage(parts);
  const older = createOlderLinkPages(parts);
  const session = createSessionPage(parts);
  const page = { page: true, detail: { hide: true } } as const;

  return new Elysia()
    .use(guard)
    .get(PATHS.home, home.show, page)
    .get(`${PATHS.organization}/*`, home.show, page)
    .get(`${PATHS.home}/*`, home.missing, page)
    .get(`${PATHS.home}/ui`, parts.config.isProduction ? home.missing : home.gallery, page)
    .get(`${ASSETS_PATH}/:name`, ({ params, request }) => answerAsset(params.name, request), page)
    .get(SESSION_PATH, ({ request }) => session(request), page)
    .get(PATHS.signOut, () => seeOther(PATHS.home), page)
    .post(PATHS.signOut, home.signOut, page)
    .get(PATHS.language, () => seeOther(PATHS.home), page)
    .post(PATHS.language, chooseLanguage, page)
    .get(PATHS.draftPage, () => seeOther(PATHS.home), page)
    .post(PATHS.draftPage, drawBioPage, page)
    .get(PATHS.draftLinkPage, () => seeOther(PATHS.home), page)
    .post(PATHS.draftLinkPage, drawLinkPage, page)
    .get(PATHS.signIn, signIn.show, page)
    .post(PATHS.signIn, signIn.send, page)
    .get(PATHS.code, () => seeOther(PATHS.signIn), page)
    .post(PATHS.code, signIn.sendCode, page)
    .get(PATHS.sso, sso.show, page)
    .post(PATHS.sso, sso.send, page)
    .get(PATHS.register, register.show, page)
    .post(PATHS.register, register.send, page)
    .get(PATHS.resetPassword, resetPassword.show, page)
    .post(PATHS.resetPassword, resetPassword.send, page)
    .get(PATHS.verifyEmail, verifyEmail.show, page)
    .post(PATHS.verifyEmail, verifyEmail.send, page)
    .get(PATHS.invite, invite.show, page)
    .post(PATHS.invite, invite.send, page)
    .get(OLDER_PATHS.resetPassword, older.resetPassword, page)
    .get(OLDER_PATHS.invite, older.invite, page);
}
