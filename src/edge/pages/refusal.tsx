import { REFUSALS, type RefusalReason } from "../refusals";
import { Layout } from "./layout";

/** The page behind a short URL that does not lead on; with a form where a password would help. */
export function refusalPage(reason: RefusalReason, nonce: string): string {
  const { title, error } = REFUSALS[reason];
  const isAsking = reason === "password_required" || reason === "password_incorrect";
  return `<!doctype html>${(
    <Layout title={title} nonce={nonce}>
      <h1 safe>{title}</h1>
      {isAsking ? <PasswordForm isWrong={reason === "password_incorrect"} /> : <p safe>{error}.</p>}
    </Layout>
  )}`;
}

const PasswordForm = ({ isWrong }: { isWrong: boolean }) => (
  <form method="post">
    {isWrong ? <p role="alert">The password is wrong. Try again.</p> : <p>Enter the password to go on.</p>}
    <label for="password">Password</label>
    <input id="password" name="password" type="password" autocomplete="off" maxlength="128" required autofocus />
    <button type="submit">Continue</button>
  </form>
);
