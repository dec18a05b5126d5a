/** Requests short URLs, and sends the forms behind them, as a browser does. */
import type { TestService } from "./service";

export const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";
export const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1";
export const PIXEL =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36";
/** The headers that browsers send with a navigation. */
export const NAVIGATION = {
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "user-agent": FIREFOX,
};

type Headers = Record<string, string>;
type Fields = Record<string, string>;

export function visitorOf(service: TestService, client: string) {
  const own = { ...NAVIGATION, "x-client": client };
  const open = (path: string, headers: Headers = {}) => service.visit(path, { ...own, ...headers });
  const send = (path: string, fields: Fields | string, headers: Headers = {}) =>
    fetch(service.url + path, {
      method: "POST",
      redirect: "manual",
      headers: { ...own, "content-type": "application/x-www-form-urlencoded", ...headers },
      body: typeof fields === "string" ? fields : new URLSearchParams(fields).toString(),
    });
  return { open, send };
}

/** Returns the value of the form's hidden `wm_pass` field, or "" if there is none. */
export const visitTokenIn = (html: string): string => /name="wm_pass" value="([^"]*)"/.exec(html)?.[1] ?? "";
