/**
 * The texts of the service's own pages, in the visitor's language. One table, so that a missing translation is a type
 * error.
 */
import type { LeadFault } from "@/core/pages/lead-form";
import type { Language } from "@/core/pages/page-languages";
import type { RefusalReason } from "../refusals";
import { de } from "./words/de";
import { en } from "./words/en";
import { es } from "./words/es";
import { fr } from "./words/fr";
import { it } from "./words/it";
import { nl } from "./words/nl";
import { pt } from "./words/pt";

export interface Said {
  title: string;
  /** Without a full stop. */
  text: string;
  /** What a visitor can do about it, in whole sentences. */
  hint?: string;
}

export interface Words {
  dir: "ltr" | "rtl";
  refusals: Record<RefusalReason, Said>;
  password: { label: string; ask: string; wrong: string };
  /** Label of the link or button that continues to the destination, on any page. */
  goOn: string;
  lead: {
    title: string;
    button: string;
    /** Follows the label of a required field. */
    required: string;
    /** Label of the email field if the form does not name it. */
    email: string;
    check: string;
    again: string;
    tooMany: string;
    unavailable: string;
    faults: Record<LeadFault["kind"], string>;
  };
  /** `onward` introduces the destination. */
  cta: { title: string; onward: string };
  /** `web` continues without the app. */
  store: Said & { button: string; web: string };
  inApp: {
    title: string;
    text: string;
    button: string;
    /**
     * For apps that open only from the visitor's own browser. `otherwise` helps if the button does nothing; `here`
     * stays in this app.
     */
    byBrowser: { text: string; button: string; otherwise: string; here: string };
  };
  passing: Said;
  /** Label of the link to the host's root. */
  home: string;
  help: string;
  /** Labels of the link that opens the page again and of the button that leads to the page before it. */
  retry: string;
  back: string;
  /** Says whose the host is. */
  owner(host: string, name: string): string;
  /** Says that the host's links come from many organizations. */
  shared(host: string): string;
}

const WORDS: Record<Language, Words> = { en, de, fr, es, pt, it, nl };

export const wordsIn = (language: Language): Words => WORDS[language];
