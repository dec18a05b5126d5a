import type { RefusalReason } from "../refusals";
import type { PageTheme } from "../theme";
import { attribute, Layout } from "./layout";

/** The page behind a short URL that does not lead on; with a form where a password would help. */
export function refusalPage(reason: RefusalReason, theme: PageTheme): string {
  const { title, text } = theme.words.refusals[reason];
  const isAsking = reason === "password_required" || reason === "password_incorrect";
  return `<!doctype html>${(
    <Layout title={title} nonce={theme.nonce} theme={theme}>
      <h1 safe>{title}</h1>
      {isAsking ? <PasswordForm theme={theme} isWrong={reason === "password_incorrect"} /> : <p safe>{text}.</p>}
    </Layout>
  )}`;
}

const PasswordForm = ({ theme: { words, formAction }, isWrong }: { theme: PageTheme; isWrong: boolean }) => (
  <form method="post" action={formAction && attribute(formAction)}>
    {isWrong ? (
      <p role="alert" safe>
        {words.password.wrong}
      </p>
    ) : (
      <p safe>{words.password.ask}</p>
    )}
    <label for="password" safe>
      {words.password.label}
    </label>
    <input id="password" name="password" type="password" autocomplete="off" maxlength="128" required autofocus />
    <button type="submit" safe>
      {words.goOn}
    </button>
  </form>
);
