/** Uses the account pages as a browser does, with a cookie jar and the headers that browsers send with forms. */
import { CLIENT_HEADER, type TestService } from "../service";

export interface Shown {
  status: number;
  headers: Headers;
  html: string;
  /** Values of the page's input fields by name, including hidden ones. */
  fields: Record<string, string>;
  /** Target of a redirect; null for other responses. */
  location: string | null;
}

type Headers = Response["headers"];

export interface Person {
  cookies: Map<string, string>;
  open(path: string, headers?: Record<string, string>): Promise<Shown>;
  send(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Shown>;
}

let persons = 0;

export function openAccountBrowser({ url }: Pick<TestService, "url">): Person {
  const cookies = new Map<string, string>();
  const number = ++persons;
  const address = `10.77.${(number >> 8) & 255}.${number & 255}`;

  async function ask(path: string, init: RequestInit, headers: Record<string, string>): Promise<Shown> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const own = { [CLIENT_HEADER]: address, accept: "text/html", ...(cookie && { cookie }) };
    const response = await fetch(url + path, { ...init, redirect: "manual", headers: { ...own, ...headers } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "" || /max-age=0/i.test(set)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const html = await response.text();
    const { status } = response;
    return {
      status,
      headers: response.headers,
      html,
      fields: fieldsOf(html),
      location: response.headers.get("location"),
    };
  }

  return {
    cookies,
    open: (path, headers = {}) => ask(path, {}, { "sec-fetch-site": "none", ...headers }),
    send: (path, fields, headers = {}) =>
      ask(
        path,
        { method: "POST", body: new URLSearchParams(fields).toString() },
        { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin", ...headers },
      ),
  };
}

function fieldsOf(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input (?:[^">]|"[^"]*")*>/g)].map(([input]) => [
    /name="([^"]*)"/.exec(input)?.[1] ?? "",
    decoded(/value="([^"]*)"/.exec(input)?.[1] ?? ""),
  ]);
  return Object.fromEntries(inputs);
}

const decoded = (text: string): string =>
  text.replaceAll("&#34;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
