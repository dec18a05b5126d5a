const HTML = /text\/html(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** True if an `Accept` header names HTML, as a browser's does when a person opens a page. */
export const acceptsHtml = (accept: string | null): boolean => HTML.test(accept ?? "");
