import type { LeadCapture, LeadField } from "@/contract/links/link-pages";
import {
  CONSENT_FIELD,
  LEAD_TEXT_MAX,
  LEAD_TEXTAREA_MAX,
  type LeadFault,
  leadFieldsOf,
  TICKED,
} from "@/core/pages/lead-form";
import type { PixelTag } from "@/core/pages/pixels";
import { VISIT_TOKEN_FIELD } from "../interstitials/visit-token";
import type { PageTheme } from "../theme";
import { attribute, Layout } from "./layout";
import { Pixels } from "./pixels";

export interface LeadPageFacts {
  form: LeadCapture;
  /** The link's title. */
  title: string | null;
  /** Null for bots, which see what the page is about but no form. */
  visitToken: string | null;
  /** The values entered before. */
  values?: URLSearchParams;
  faults?: readonly LeadFault[];
  /** A sentence that says what went wrong. */
  alert?: string;
  tags: readonly PixelTag[];
}

/** Renders the form before the destination. Works without JavaScript and keeps the values entered. */
export function leadPage(theme: PageTheme, facts: LeadPageFacts): string {
  const { words, nonce } = theme;
  const { form, visitToken, tags } = facts;
  const title = form.title || facts.title || words.lead.title;
  return `<!doctype html>${(
    <Layout
      title={title}
      nonce={nonce}
      theme={theme}
      description={form.description}
      style={STYLE}
      head={<Preview title={title} form={form} />}
    >
      <h1 dir="auto" safe>
        {title}
      </h1>
      {form.description ? (
        <p dir="auto" safe>
          {form.description}
        </p>
      ) : (
        ""
      )}
      {visitToken === null ? "" : <Form theme={theme} facts={facts} visitToken={visitToken} />}
      <Pixels tags={tags} nonce={nonce} />
    </Layout>
  )}`;
}

const STYLE = `
form{margin-top:1.5rem}p+form{margin-top:0}
form>[role=alert]{padding:.75rem 1rem;border:1px solid var(--fault);border-radius:.75rem;font-size:.9375rem}
button{margin-top:.375rem}`;

/** The tags that link previews read. */
const Preview = ({ title, form }: { title: string; form: LeadCapture }) => (
  <>
    <meta property="og:title" content={attribute(title)} />
    {form.description ? <meta property="og:description" content={attribute(form.description)} /> : ""}
  </>
);

interface FormProps {
  theme: PageTheme;
  facts: LeadPageFacts;
  visitToken: string;
}

const Form = ({ theme: { words, formAction }, facts: { form, values, faults = [], alert }, visitToken }: FormProps) => {
  const consent: LeadField = { name: CONSENT_FIELD, label: form.consentText, type: "checkbox", required: true };
  const fields = [...leadFieldsOf(form), ...(form.consentText ? [consent] : [])];
  const firstFault = fields.findIndex(({ name }) => faults.some((fault) => fault.name === name));
  return (
    <form method="post" action={formAction && attribute(formAction)} accept-charset="utf-8">
      {alert ? (
        <p role="alert" safe>
          {alert}
        </p>
      ) : (
        ""
      )}
      <input type="hidden" name={VISIT_TOKEN_FIELD} value={visitToken} />
      {fields.map((field, index) => {
        const fault = faults.find(({ name }) => name === field.name);
        const label = field.label || (field.name === "email" ? words.lead.email : field.name);
        const value = values?.get(field.name) ?? "";
        const shown = { id: `field-${index}`, field, label, value, required: words.lead.required };
        const said = fault && words.lead.faults[field.type === "checkbox" ? "checkbox" : fault.kind];
        return <Field {...shown} fault={said} hasFocus={index === firstFault} />;
      })}
      <button type="submit" dir="auto" safe>
        {form.buttonText || words.lead.button}
      </button>
    </form>
  );
};

interface FieldProps {
  id: string;
  field: LeadField;
  label: string;
  value: string;
  /** The translated word for "required". */
  required: string;
  fault: string | undefined;
  hasFocus: boolean;
}

/**
 * `autocomplete` values (HTML, "autofill") by a field's type or, for text fields, by the names that forms commonly
 * give it.
 */
const AUTOFILL: Record<string, string> = {
  email: "email",
  tel: "tel",
  url: "url",
  phone: "tel",
  name: "name",
  fullname: "name",
  firstname: "given-name",
  givenname: "given-name",
  lastname: "family-name",
  surname: "family-name",
  familyname: "family-name",
  company: "organization",
  organization: "organization",
  organisation: "organization",
  jobtitle: "organization-title",
  city: "address-level2",
  zip: "postal-code",
  postcode: "postal-code",
  postalcode: "postal-code",
  country: "country-name",
};

const autofillOf = (type: NonNullable<LeadField["type"]>, name: string): string | undefined =>
  AUTOFILL[type] ?? (type === "text" ? AUTOFILL[name.toLowerCase().replaceAll(/[\s_-]/g, "")] : undefined);

const Field = ({
  id,
  field: { name, type = "text", required },
  label,
  value,
  fault,
  hasFocus,
  ...said
}: FieldProps) => {
  const shared = {
    id,
    name: attribute(name),
    required,
    autofocus: hasFocus,
    "aria-invalid": fault === undefined ? undefined : "true",
    "aria-describedby": fault === undefined ? undefined : `${id}-fault`,
  };
  const named = (
    <label for={id}>
      <span dir="auto" safe>
        {label}
      </span>
      {required ? <small safe>{` (${said.required})`}</small> : ""}
    </label>
  );
  const why = fault === undefined ? "" : <Fault id={`${id}-fault`} text={fault} />;
  switch (type) {
    case "checkbox":
      return (
        <>
          <div class="tick">
            <input {...shared} type="checkbox" value={TICKED} checked={value === TICKED} />
            {named}
          </div>
          {why}
        </>
      );
    case "textarea":
      return (
        <>
          {named}
          <textarea {...shared} rows="4" maxlength={LEAD_TEXTAREA_MAX} dir="auto" safe>
            {`\n${value}`}
          </textarea>
          {why}
        </>
      );
    default:
      return (
        <>
          {named}
          <input
            {...shared}
            type={type === "number" ? "text" : type}
            dir={type === "text" ? "auto" : undefined}
            inputmode={type === "number" ? "decimal" : undefined}
            autocomplete={autofillOf(type, name)}
            maxlength={LEAD_TEXT_MAX}
            value={attribute(value)}
          />
          {why}
        </>
      );
  }
};

const Fault = ({ id, text }: { id: string; text: string }) => (
  <p class="fault" id={id} safe>
    {text}
  </p>
);
