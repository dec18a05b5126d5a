/**
 * Sends mail over SMTP (`SMTP_URL`, `MAIL_FROM`) in the background of the request that asked for it: no response
 * waits for a mail server, or reveals by its timing whether there was anything to send.
 *
 * A mail waits for its turn, is composed and sent. A failure that may pass (no connection, a 4xx from the server) is
 * retried after each of `RETRY_AFTER_MS`; any other failure, and the last one, is logged. The log never contains what
 * the mail says. A mail keeps its Message-ID, so that a second copy of one whose response was lost is recognized as
 * such.
 *
 * Bounds: `RUNNING_MAX` connections, one mail each; `MAILS_MAX` mails that are being sent or wait for a turn or their
 * next try, beyond which a mail is dropped and logged; `TIMEOUTS` for what a server may take. Closing gives what
 * waits its last try now, and gives up what is left when its time is over. A crash loses what waits: people who
 * waited for a mail ask for another.
 */
import { setTimeout } from "node:timers/promises";
import type { Transporter } from "nodemailer";
import { limitConcurrency } from "./concurrency";
import type { Log } from "./telemetry/log";

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Composes the mail when its turn comes; returns undefined if there turns out to be none to send. */
export type Compose = () => Promise<Mail | undefined>;

export interface Mailer extends AsyncDisposable {
  /** Resolves once the server has the mail or it was given up. Never rejects, and need not be awaited. */
  send(mail: Mail | Compose): Promise<void>;
  /** May be called twice. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface MailerOptions {
  smtpUrl: string | null;
  mailFrom: string | null;
  log: Log;
  /** For tests. */
  retryAfterMs?: readonly number[];
  timeouts?: typeof TIMEOUTS;
}

const RUNNING_MAX = 2;
const MAILS_MAX = 500;
const RETRY_AFTER_MS = [1_000, 15_000, 120_000] as const;
/**
 * Milliseconds for the name's look-up, the connection, the greeting, a silence in between, a whole try, and closing.
 */
const TIMEOUTS = { dns: 5_000, connection: 5_000, greeting: 5_000, socket: 10_000, whole: 30_000, close: 3_000 };
const SUBJECT_LENGTH_MAX = 200;
/**
 * Matches one address without anything that has a meaning in a header or an SMTP command; quoted names are not
 * accepted.
 */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u;

/** Returns null unless both `SMTP_URL` and `MAIL_FROM` are set. */
export function openMailer(options: MailerOptions): Mailer | null {
  const { smtpUrl, mailFrom, log, retryAfterMs = RETRY_AFTER_MS, timeouts = TIMEOUTS } = options;
  if (smtpUrl === null || mailFrom === null) return null;
  const transmit = transmitter(smtpUrl, mailFrom, timeouts);
  const refusal = () => new Error("Too many mails are waiting");
  const limited = limitConcurrency({ runningMax: RUNNING_MAX, waitingMax: MAILS_MAX, refusal });
  const closing = new AbortController();
  const closed = new AbortController();
  const underWay = new Set<Promise<void>>();

  const sendInTime = async (mail: Mail | Compose): Promise<void> => {
    if (closing.signal.aborted || underWay.size >= MAILS_MAX) throw refusal();
    const messageId = `<${crypto.randomUUID()}@${domainOf(mailFrom)}>`;
    let composed = typeof mail === "function" ? undefined : mail;
    const attempt = async () => {
      closed.signal.throwIfAborted();
      composed ??= typeof mail === "function" ? await mail() : mail;
      if (composed) await transmit(composed, messageId, closed.signal);
    };
    for (let tries = 0; ; tries++) {
      try {
        return await limited(attempt);
      } catch (error) {
        const retryInMs = retryAfterMs[tries];
        const isOver = closing.signal.aborted || retryInMs === undefined;
        if (isOver || !(error instanceof MailError && error.mayPass)) throw error;
        log.warn("could not send mail yet", { error, retryInMs });
        await pause(retryInMs, closing.signal);
      }
    }
  };

  return {
    async send(mail) {
      const sending = sendInTime(mail).catch((error: unknown) => log.error("could not send mail", { error }));
      underWay.add(sending);
      await sending;
      underWay.delete(sending);
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.race([Promise.all(underWay), Bun.sleep(timeouts.close)]);
      closed.abort();
      await Promise.all(underWay);
    },
  };
}

type Transmit = (mail: Mail, messageId: string, signal: AbortSignal) => Promise<void>;

/**
 * Options in the URL's query (`?requireTLS=true`) take precedence. What is returned rejects with a `MailError` if
 * sending fails.
 */
function transmitter(smtpUrl: string, mailFrom: string, timeouts: typeof TIMEOUTS): Transmit {
  let transport: Pick<Transporter, "sendMail"> | undefined;
  return async ({ to, subject, text }, messageId, signal) => {
    if (!ADDRESS.test(to)) throw new Error("The recipient is not a plain mail address");
    const mail = {
      from: mailFrom,
      to: { name: "", address: to },
      subject: subject.replace(/\p{Cc}+/gu, " ").slice(0, SUBJECT_LENGTH_MAX),
      text,
      messageId,
      headers: { "Auto-Submitted": "auto-generated" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeouts.whole)]),
    };
    transport ??= await openTransport(smtpUrl, timeouts);
    await transport.sendMail(mail).catch((error: unknown) => {
      throw new MailError(error);
    });
  };
}

/** The library is loaded for the first mail: most processes never send one. */
async function openTransport(url: string, timeouts: typeof TIMEOUTS) {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url,
    dnsTimeout: timeouts.dns,
    connectionTimeout: timeouts.connection,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.socket,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Codes of failures without a response from the server: those of the network, which may pass. */
const PASSING = new Set(["ECONNECTION", "ETIMEDOUT", "ESOCKET", "EDNS", "EABORT"]);

/** Says what went wrong, without the server's words: a refusal may quote the mail, and with it a token. */
class MailError extends Error {
  override name = "MailError";
  readonly code: string;
  /** True if another try may succeed. */
  readonly mayPass: boolean;

  constructor(failure: unknown) {
    const { code, command, responseCode, message }: SmtpFailure = Object(failure);
    const said = responseCode ? `the server returned ${responseCode}` : message;
    super(`${command ?? "SMTP"}: ${said}`);
    this.code = code ?? "EUNKNOWN";
    this.mayPass = responseCode ? responseCode < 500 : PASSING.has(this.code);
  }
}

interface SmtpFailure {
  code?: string;
  command?: string;
  responseCode?: number;
  message?: string;
}

const domainOf = (mailFrom: string): string => /@([^\s<>@]+)>?$/.exec(mailFrom)?.[1] ?? "localhost";

/** Waits for `ms`, or until `signal` aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
