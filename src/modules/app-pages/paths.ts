/** The paths of the pages. */
import { APP_PATH } from "@/http/app-path";

export const PATHS = {
  home: APP_PATH,
  signIn: `${APP_PATH}/sign-in`,
  code: `${APP_PATH}/sign-in/code`,
  sso: `${APP_PATH}/sign-in/sso`,
  signOut: `${APP_PATH}/sign-out`,
  language: `${APP_PATH}/language`,
  draftPage: `${APP_PATH}/draft-page`,
  draftLinkPage: `${APP_PATH}/draft-link-page`,
  register: `${APP_PATH}/register`,
  resetPassword: `${APP_PATH}/reset-password`,
  verifyEmail: `${APP_PATH}/verify-email`,
  invite: `${APP_PATH}/invite`,
  /** The screens of one organization are below its slug. */
  organization: `${APP_PATH}/o`,
} as const;

/** Earlier mails link to these paths. */
export const OLDER_PATHS = { resetPassword: "/reset-password", invite: "/invite" } as const;

/** Appends the fields as a query, except empty ones. */
export function withQuery(path: string, fields: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(
    Object.entries(fields).filter((field): field is [string, string] => Boolean(field[1])),
  );
  return query.size > 0 ? `${path}?${query}` : path;
}
