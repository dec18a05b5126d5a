import type { RefusalReason } from "../refusals";
import type { PageTheme } from "../theme";
import { attribute, Layout } from "./layout";
import { EMBLEM_STYLE, Emblem, type EmblemName } from "./marks";

const EMBLEMS: Record<RefusalReason, EmblemName> = {
  unknown: "astray",
  domain_unverified: "astray",
  inactive: "astray",
  not_started: "astray",
  unsafe: "unsafe",
  expired: "ended",
  max_clicks_reached: "ended",
  password_required: "locked",
  password_incorrect: "locked",
  lead_required: "fault",
  form_too_large: "fault",
  malformed: "astray",
  method: "fault",
  busy: "wait",
  probing: "wait",
  attempts: "wait",
  unavailable: "wait",
};

/**
 * Renders the page of a short URL that does not redirect: what happened, and a way on, or a form where a password
 * would help.
 */
export function refusalPage(reason: RefusalReason, theme: PageTheme): string {
  const { title, text, hint } = theme.words.refusals[reason];
  const isAsking = reason === "password_required" || reason === "password_incorrect";
  return `<!doctype html>${(
    <Layout title={title} nonce={theme.nonce} theme={theme} class="center" style={STYLE} isHelpful={!isAsking}>
      <Emblem name={EMBLEMS[reason]} />
      <h1 safe>{title}</h1>
      {isAsking ? (
        <PasswordForm theme={theme} isWrong={reason === "password_incorrect"} />
      ) : (
        <>
          <p safe>{hint ? `${text}. ${hint}` : `${text}.`}</p>
          <WayOn theme={theme} />
        </>
      )}
    </Layout>
  )}`;
}

const STYLE = `${EMBLEM_STYLE}
form{text-align:start;margin-top:1.5rem}`;

const WayOn = ({ theme: { words, brand, hasHome } }: { theme: PageTheme }) => (
  <>
    {hasHome ? (
      <a class="button quiet" href="/" safe>
        {words.home}
      </a>
    ) : (
      ""
    )}
    {brand?.supportUrl ? (
      <a class="on" href={attribute(brand.supportUrl)} rel="noopener" safe>
        {words.help}
      </a>
    ) : (
      ""
    )}
  </>
);

/** Browsers count UTF-16 units, of which a character of a password may take several. */
const PASSWORD_UNITS_MAX = 512;

const PasswordForm = ({ theme: { words, formAction }, isWrong }: { theme: PageTheme; isWrong: boolean }) => (
  <>
    <p safe>{words.password.ask}</p>
    <form method="post" action={formAction && attribute(formAction)}>
      <label for="password" safe>
        {words.password.label}
      </label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="off"
        maxlength={PASSWORD_UNITS_MAX}
        aria-invalid={isWrong ? "true" : undefined}
        aria-describedby={isWrong ? "password-fault" : undefined}
        required
        autofocus
      />
      {isWrong ? (
        <p class="fault" id="password-fault" role="alert" safe>
          {words.password.wrong}
        </p>
      ) : (
        ""
      )}
      <button type="submit" safe>
        {words.goOn}
      </button>
    </form>
  </>
);
