/** What our own pages say, in the visitor's language: one table, so that a sentence that is missing somewhere is a type error. */
import type { LeadFault } from "@/core/lead-form";
import type { Language } from "@/core/page-languages";
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
  /** The text has no full stop. */
  text: string;
  /** What a visitor can do about it, in whole sentences. */
  hint?: string;
}

export interface Words {
  dir: "ltr" | "rtl";
  refusals: Record<RefusalReason, Said>;
  password: { label: string; ask: string; wrong: string };
  /** Leads on from wherever a visitor is. */
  goOn: string;
  lead: {
    title: string;
    button: string;
    /** Behind the label of a field that must be filled in. */
    required: string;
    /** Of an email address where the form names no field. */
    email: string;
    check: string;
    again: string;
    tooMany: string;
    unavailable: string;
    faults: Record<LeadFault["kind"], string>;
  };
  /** `onward` stands above the destination. */
  cta: { title: string; onward: string };
  /** `web` leads past the app. */
  store: Said & { button: string; web: string };
  inApp: {
    title: string;
    text: string;
    button: string;
    /** Where the app opens only from the visitor's own browser; `otherwise`: when the button does nothing; `here`: stays. */
    byBrowser: { text: string; button: string; otherwise: string; here: string };
  };
  passing: Said;
  /** Leads to the root of the host. */
  home: string;
  help: string;
}

const WORDS: Record<Language, Words> = { en, de, fr, es, pt, it, nl };

export const wordsIn = (language: Language): Words => WORDS[language];
