/** Judges the files that tell phones which apps open a host's links, as a device would read them. */
import type { DomainCheck } from "@/contract/domains";

/** The parts of a response that are judged. */
export interface FetchedFile {
  status: number;
  headers: Headers;
  body: Uint8Array;
}

export type JudgedFile = Pick<DomainCheck, "status" | "found" | "advice">;

const APP_ID = /^[A-Z0-9]{10}\.[A-Za-z0-9.-]+$/;
const FINGERPRINT = /^(?:[A-F0-9]{2}:){31}[A-F0-9]{2}$/;
const HANDLE_URLS = "delegate_permission/common.handle_all_urls";
const SHOWN_LENGTH_MAX = 100;

const SERVED_HERE = "Pass the path through to this service unchanged; it serves the file.";

/** Judges `apple-app-site-association`. */
export const judgeAppleFile = (file: FetchedFile): JudgedFile =>
  judge(file, (content) => {
    const details = listAt(valueAt(content, "applinks"), "details");
    const appIds = details.flatMap((detail) => [...listAt(detail, "appIDs"), ...textAt(detail, "appID")]);
    return { named: appIds, wrong: appIds.filter((appId) => !matches(APP_ID, appId)), kind: "App ID" };
  });

/** Compares the copy on Apple's CDN with the host's own file: devices fetch the copy, never the file on the host. */
export function judgeAppleCopy(own: FetchedFile, { status, body }: FetchedFile): JudgedFile {
  if (status === 404) return { status: "warning", found: "Apple's CDN has no copy", advice: NO_COPY };
  if (status !== 200) return { status: "unknown", found: `Apple's CDN returns status ${status}` };
  if (Bun.deepEquals(parsed(own.body), parsed(body))) return { status: "ok", found: "Apple's CDN has the same file" };
  return { status: "warning", found: "Apple's CDN has another version of the file", advice: OLDER_COPY };
}

const NO_COPY =
  "iPhones get the file from Apple, which fetches it from the host. Allow requests from Apple's network in your proxy and " +
  "firewall, then wait a day. To test now, use `applinks:<host>?mode=developer` on a phone in developer mode.";
const OLDER_COPY =
  "Apple fetches the file again within a day. Apps that are already installed notice a change within a week, or when they " +
  "are installed again.";

/** Judges `assetlinks.json`. */
export const judgeAndroidFile = (file: FetchedFile): JudgedFile =>
  judge(file, (content) => {
    const statements = Array.isArray(content) ? content : [];
    const targets = statements
      .filter((statement) => listAt(statement, "relation").includes(HANDLE_URLS))
      .map((statement) => valueAt(statement, "target"));
    const fingerprints = targets.flatMap((target) => listAt(target, "sha256_cert_fingerprints"));
    return {
      named: targets.flatMap((target) => textAt(target, "package_name")),
      wrong: fingerprints.filter((fingerprint) => !matches(FINGERPRINT, fingerprint)),
      kind: "fingerprint",
    };
  });

interface Content {
  /** The apps that the file names. */
  named: unknown[];
  /** The values that are not well-formed. */
  wrong: unknown[];
  kind: string;
}

function judge(file: FetchedFile, read: (content: unknown) => Content): JudgedFile {
  const { status, headers, body } = file;
  if (status >= 300 && status < 400) {
    const location = shortened(headers.get("location") ?? "nowhere");
    return failed(`Redirects to ${location}`, `Phones do not follow redirects for this file. ${SERVED_HERE}`);
  }
  if (status !== 200) return failed(`Status ${status}`, SERVED_HERE);
  const type = headers.get("content-type") ?? "none";
  if (!/^application\/json\b/i.test(type)) return failed(`Content type ${shortened(type)}`, SERVED_HERE);
  const content = parsed(body);
  if (content === undefined) return failed("Invalid JSON", SERVED_HERE);
  return judgeContent(read(content));
}

function judgeContent({ named, wrong, kind }: Content): JudgedFile {
  if (wrong.length > 0) {
    return failed(`${kind} ${shortened(String(wrong[0]))} is not well-formed`, "Correct it in the app's settings.");
  }
  if (named.length > 0) return { status: "ok", found: `Names ${shortened(named.join(", "))}` };
  return {
    status: "warning",
    found: "Names no app",
    advice: "Fill in the domain's app configuration or an app profile so that links open in an app.",
  };
}

const failed = (found: string, advice: string): JudgedFile => ({ status: "failed", found, advice });

const shortened = (text: string): string =>
  text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text;

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

const matches = (pattern: RegExp, value: unknown): boolean => typeof value === "string" && pattern.test(value);

function valueAt(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

const listAt = (value: unknown, name: string): unknown[] => {
  const list = valueAt(value, name);
  return Array.isArray(list) ? list : [];
};
const textAt = (value: unknown, name: string): string[] => {
  const text = valueAt(value, name);
  return typeof text === "string" ? [text] : [];
};
