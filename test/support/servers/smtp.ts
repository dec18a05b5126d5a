/** A real SMTP server that stores the messages it receives and can be made to refuse them. */
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerError, type SMTPServerOptions } from "smtp-server";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** The header lines, unfolded. */
  headers: string[];
  text: string;
  isEncrypted: boolean;
}

export interface SmtpSink {
  port: number;
  url: string;
  mails: ReceivedMail[];
  /** Error replies for the next messages, one each. `{mail}` in a reply stands for the text of the message. */
  refusals: { code: number; says: string }[];
  /** Header lines of each refused message. */
  refused: string[][];
  /** Number of connections so far, and the most that were open at the same time. */
  connections: { total: number; most: number };
  /** Resolves once `count` mails have arrived. Rejects after 10 s. */
  until(count: number): Promise<ReceivedMail[]>;
  stop(): Promise<void>;
}

const WAIT_MS_MAX = 50_000;

/** Subject of the mail that every registration sends. Tests of other mails discard these. */
export const PROOF_MAIL = /^Subject: Confirm your email address/;

/** Starts a server. Mails with a header line that matches `unkept` are accepted and discarded. */
export async function startSmtp(options: SMTPServerOptions = {}, unkept?: RegExp): Promise<SmtpSink> {
  const mails: ReceivedMail[] = [];
  const refusals: SmtpSink["refusals"] = [];
  const refused: string[][] = [];
  const connections = { total: 0, most: 0 };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onConnect(_, done) {
      connections.total++;
      connections.most = Math.max(connections.most, server.connections.size);
      done();
    },
    async onData(stream, session, done) {
      const mail = read(await new Response(stream).text());
      if (mail.headers.some((line) => unkept?.test(line))) return done();
      const refusal = refusals.shift();
      if (refusal) {
        refused.push(mail.headers);
        return done(refusalOf(refusal, mail.text));
      }
      const { mailFrom, rcptTo } = session.envelope;
      const from = mailFrom ? mailFrom.address : "";
      mails.push({ ...mail, from, to: rcptTo.map(({ address }) => address), isEncrypted: session.secure === true });
      done();
    },
    ...options,
  });
  // Some tests disconnect in the middle of a message on purpose.
  server.on("error", () => undefined);
  const port = await new Promise<number>((resolve) => {
    const listener = server.listen(0, "127.0.0.1", () => resolve((listener.address() as AddressInfo).port));
  });
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refusals,
    refused,
    connections,
    async until(count) {
      const giveUpAt = performance.now() + WAIT_MS_MAX;
      while (mails.length < count) {
        if (performance.now() > giveUpAt) throw new Error(`${mails.length} of ${count} mails came`);
        await Bun.sleep(5);
      }
      return mails;
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

function refusalOf({ code, says }: SmtpSink["refusals"][number], text: string): SMTPServerError {
  const error: SMTPServerError = new Error(says.replace("{mail}", text.replace(/\s+/g, " ")));
  error.responseCode = code;
  return error;
}

function read(raw: string): Pick<ReceivedMail, "headers" | "text"> {
  const end = raw.indexOf("\r\n\r\n");
  const headers = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const isQuoted = headers.some((line) => /^content-transfer-encoding: quoted-printable/i.test(line));
  const body = raw.slice(end + 4).replaceAll("\r\n", "\n");
  return { headers, text: isQuoted ? unquoted(body) : body };
}

const unquoted = (body: string): string =>
  body.replace(/=\n/g, "").replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
