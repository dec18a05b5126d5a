import type { RefusalReason } from "../refusals";
import type { PageTheme } from "../theme";
import { attribute, Layout } from "./layout";

/** The page behind a short URL that does not lead on; with a form where a password would help. */
export function refusalPage(reason: RefusalReason, look: PageTheme): string {
  const { title, text } = look.words.refusals[reason];
  const isAsking = reason === "password_required" || reason === "password_incorrect";
  return `<!doctype html>${(
    <Layout title={title} nonce={look.nonce} look={look}>
      <h1 safe>{title}</h1>
      {isAsking ? <PasswordForm look={look} isWrong={reason === "password_incorrect"} /> : <p safe>{text}.</p>}
    </Layout>
  )}`;
}

const PasswordForm = ({ look: { words, formAction }, isWrong }: { look: PageTheme; isWrong: boolean }) => (
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
