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

/** What another try may change. */
const RETRIED = new Set<RefusalReason>(["method", "busy", "probing", "attempts", "unavailable"]);

/**
 * Renders the page of a short URL that does not redirect: what happened, and a way on, or a form where a password
 * would help. Where nothing leads on, it says whose the host is, and leads back to where the visitor came from.
 */
export function refusalPage(reason: RefusalReason, theme: PageTheme): string {
  const { title, text, hint } = theme.words.refusals[reason];
  const isAsking = reason === "password_required" || reason === "password_incorrect";
  return `<!doctype html>${(
    <Layout title={title} nonce={theme.nonce} theme={theme} class="center" style={STYLE} isHelpful={!isAsking}>
      <Emblem name={EMBLEMS[reason]} />
      <h1 safe>{title}</h1>
      {isAsking ? (
        <>
          <PasswordForm theme={theme} isWrong={reason === "password_incorrect"} />
          <Home theme={theme} kind="on" />
        </>
      ) : (
        <>
          <p safe>{hint ? `${text}. ${hint}` : `${text}.`}</p>
          <WayOn theme={theme} reason={reason} />
        </>
      )}
    </Layout>
  )}`;
}

const STYLE = `${EMBLEM_STYLE}
form{text-align:start;margin-top:1.5rem}
[hidden]{display:none}#back,p:has(+[hidden]){margin-bottom:0}`;

/** The page's own URL with its query. */
const SAME_PAGE = "";

function WayOn({ theme, reason }: { theme: PageTheme; reason: RefusalReason }) {
  const { words, brand, hasHome } = theme;
  const isRetried = RETRIED.has(reason);
  const supportUrl = brand?.supportUrl;
  return (
    <>
      {isRetried ? (
        <a class="button" href={SAME_PAGE} safe>
          {words.retry}
        </a>
      ) : (
        ""
      )}
      <Home theme={theme} kind="button quiet" />
      {supportUrl ? (
        <a class="on" href={attribute(supportUrl)} rel="noopener" safe>
          {words.help}
        </a>
      ) : (
        ""
      )}
      {isRetried || hasHome || supportUrl ? "" : <WayBack theme={theme} />}
    </>
  );
}

const Home = ({ theme: { words, hasHome }, kind }: { theme: PageTheme; kind: "on" | "button quiet" }) =>
  hasHome ? (
    <a class={kind} href="/" safe>
      {words.home}
    </a>
  ) : (
    ""
  );

/** The button appears only where there is a page to go back to. */
const BACK = `if(history.length>1){var back=document.getElementById("back");back.hidden=false;
back.onclick=function(){history.back()}}`;

function WayBack({ theme }: { theme: PageTheme }) {
  const { words, nonce } = theme;
  const whose = whoseIs(theme);
  return (
    <>
      {whose === null ? "" : <p safe>{whose}</p>}
      <button id="back" class="quiet" type="button" hidden safe>
        {words.back}
      </button>
      <script nonce={nonce}>{BACK}</script>
    </>
  );
}

function whoseIs({ words, brand, host, isShared }: PageTheme): string | null {
  if (host === null) return null;
  if (brand) return words.owner(isolated(host), isolated(brand.name));
  return isShared ? words.shared(isolated(host)) : null;
}

/** Keeps a name in another script from changing the order of the sentence around it. */
const isolated = (name: string): string => `\u2068${name}\u2069`;

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
