/**
 * Request header with the id of the user whom a page of the dashboard shows. In another tab, the browser may have signed
 * in as someone else since; the service then does not act for them what this page asks for.
 */
export const SHOWN_USER = "waymark-shown-user";
