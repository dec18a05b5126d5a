/** Asks for the organization whose single sign-on is to be used, and leads to it. */
import { invalid } from "@/http/errors";
import type { SignInLimits } from "@/modules/auth/sign-in-limits";
import type { SsoEntry } from "@/modules/sso/entry";
import { attribute } from "@/pages/frame";
import { answerAccountPage } from "./answers";
import { type FormState, formWithoutFaults } from "./form";
import type { AccountTheme } from "./look";
import type { Pages } from "./pages";
import { PATHS } from "./paths";
import { Alert, Field, More, Page } from "./view";

export interface SsoPageParts {
  pages: Pages;
  signInLimits: Pick<SignInLimits, "takeStep">;
  ssoEntry: SsoEntry;
}

export const createSsoPage = ({ pages, signInLimits, ssoEntry }: SsoPageParts) => ({
  show: pages.handleGet(async ({ look }) => answerAccountPage(look, view(look, formWithoutFaults()))),

  send: pages.handleForm({
    sentences: ({ words: { sso, faults } }) => ({
      fields: { organization: { malformed: faults.required, refused: sso.unknown } },
    }),
    async respond({ look, caller }, { organization = "" }) {
      const slug = slugIn(organization);
      if (slug === "") throw invalid(["organization: required"]);
      await signInLimits.takeStep("organization", caller);
      const url = await ssoEntry.findBySlug(slug);
      if (url === undefined) throw invalid(["organization: has no single sign-on"]);
      return answerAccountPage(look, onwardView(look, url));
    },
    again: async ({ look }, { state, ...init }) => answerAccountPage(look, view(look, state), init),
  }),
});

/** Takes the slug, or an address of the organization's dashboard. */
function slugIn(typed: string): string {
  const text = typed.trim();
  const [, inAddress] = /\/o\/([^/?#]+)/.exec(text) ?? [];
  return (inAddress ?? text).toLowerCase();
}

const view = (look: AccountTheme, { values, faults, alert }: FormState): string => {
  const { ssoStart } = look.words;
  return Page({
    look,
    title: ssoStart.title,
    children: (
      <>
        <h1 safe>{ssoStart.title}</h1>
        <Alert text={alert} />
        <form method="post" action={PATHS.sso}>
          <Field
            name="organization"
            label={ssoStart.organization}
            autocomplete="organization"
            value={values.organization}
            hint={ssoStart.hint}
            fault={faults.organization}
            maxlength={2_048}
            isUncapitalized
            isFocused
          />
          <button type="submit" safe>
            {ssoStart.button}
          </button>
        </form>
        <More links={[[PATHS.signIn, ssoStart.password]]} />
      </>
    ),
  });
};

/** A form's response must not redirect to another site: browsers check that against `form-action`. */
const onwardView = (look: AccountTheme, url: string): string => {
  const { title, text, goOn } = look.words.moment;
  return Page({
    look,
    title,
    head: <meta http-equiv="refresh" content={attribute(`0;url=${url}`)} />,
    children: (
      <>
        <h1 safe>{title}</h1>
        <p safe>{text}</p>
        <More links={[[url, goOn]]} />
      </>
    ),
  });
};
