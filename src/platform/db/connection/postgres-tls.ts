/**
 * The TLS options of an address of Postgres, from libpq's parameters for them. Files that are renewed while the service
 * runs count from the next connection on; while one is missing or half written, what they contained before does.
 */
import { readFileSync } from "node:fs";
import { checkServerIdentity, createSecureContext, type PeerCertificate } from "node:tls";
import { PostgresUrlError } from "./postgres-url-error";

/** In the driver's form: a word, or the options of `tls.connect`. */
export type DriverTls = "prefer" | "require" | false | TlsOptions;

interface TlsOptions extends Readonly<Contents> {
  rejectUnauthorized: boolean;
  checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined;
}

/** What the files contain, in PEM. */
interface Contents {
  ca?: string;
  cert?: string;
  key?: string;
  passphrase?: string;
}

const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
type SslMode = (typeof SSL_MODES)[number];

/** The parameters that stand for TLS options here, and are not for the driver. */
export const TLS_PARAMETERS = ["sslmode", "sslrootcert", "sslcert", "sslkey", "sslpassword"] as const;

/**
 * Interprets the parameters as libpq does, except that an authority without a mode means that everything is verified.
 * `require` checks the certificate only if an authority is named, and never the host name in it. Reads the files.
 * Throws `PostgresUrlError`.
 */
export function tlsOf(query: URLSearchParams): DriverTls | undefined {
  const root = query.get("sslrootcert");
  const files = filesOf(query);
  const named = query.get("sslmode");
  if (named === null && root === null && files.cert === null) return undefined;
  const mode = modeOf(named, root);
  if (mode === "disable") return false;
  if (mode === "allow" || mode === "prefer") {
    if (files.cert === null) return "prefer";
    throw new PostgresUrlError("sslcert requires sslmode=require, verify-ca or verify-full");
  }
  const isVerified = mode !== "require" || root !== null;
  if (!isVerified && files.cert === null) return "require";
  return withContents(files, {
    rejectUnauthorized: isVerified,
    checkServerIdentity: mode === "verify-full" ? checkServerIdentity : () => undefined,
  });
}

function modeOf(named: string | null, root: string | null): SslMode {
  if (root === "system") return "verify-full";
  if (named === null) return root === null ? "prefer" : "verify-full";
  const mode = SSL_MODES.find((candidate) => candidate === named);
  if (!mode) throw new PostgresUrlError(`expected sslmode to be one of ${SSL_MODES.join(", ")}`);
  return mode;
}

/** The paths, and the password of the key. */
interface Files {
  root: string | null;
  cert: string | null;
  key: string | null;
  password: string | null;
}

function filesOf(query: URLSearchParams): Files {
  const [root, cert, key] = ["sslrootcert", "sslcert", "sslkey"].map((name) => query.get(name) || null);
  if (Boolean(cert) !== Boolean(key)) throw new PostgresUrlError("expected both sslcert and sslkey, or neither");
  return {
    root: root === undefined || root === "system" ? null : root,
    cert: cert ?? null,
    key: key ?? null,
    password: query.get("sslpassword"),
  };
}

/** The driver copies the options in this order for every connection, so that each uses what the files contain then. */
function withContents(files: Files, checks: Omit<TlsOptions, keyof Contents>): TlsOptions {
  let contents = contentsOf(files);
  return {
    ...checks,
    get ca() {
      contents = contentsOf(files);
      return contents.ca;
    },
    get cert() {
      return contents.cert;
    },
    get key() {
      return contents.key;
    },
    get passphrase() {
      return contents.passphrase;
    },
  };
}

/** What files contained when they could last be used. As many as the settings name. */
const usable = new Map<string, Contents>();

function contentsOf(files: Files): Contents {
  const key = JSON.stringify(files);
  try {
    const contents = readContents(files);
    usable.set(key, contents);
    return contents;
  } catch (error) {
    const known = usable.get(key);
    if (known === undefined) throw error;
    return known;
  }
}

function readContents({ root, cert, key, password }: Files): Contents {
  const contents: Contents = {
    ca: readText("sslrootcert", root),
    cert: readText("sslcert", cert),
    key: readText("sslkey", key),
    passphrase: password ?? undefined,
  };
  requireUsable("sslrootcert contains no certificate", { ca: contents.ca });
  requireUsable("sslcert and sslkey are not a certificate and its key", contents);
  return contents;
}

function readText(name: string, path: string | null): string | undefined {
  if (path === null) return undefined;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unreadable";
    throw new PostgresUrlError(`cannot read ${name} (${code})`, { cause });
  }
  if (!text.includes("-----BEGIN ")) throw new PostgresUrlError(`${name} is not a file in PEM format`);
  return text;
}

/** The driver does not report what is wrong: its connections time out. */
function requireUsable(otherwise: string, contents: Contents): void {
  try {
    createSecureContext(contents);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new PostgresUrlError(`${otherwise} (${why})`, { cause });
  }
}
