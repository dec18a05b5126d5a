/** A real SMTP server that keeps what it is sent, and can be told to refuse. */
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
  /** Answers given to the next messages in place of taking them; `{mail}` in one stands for the message's text. */
  refusals: { code: number; says: string }[];
  /** Header lines of the messages that were refused. */
  refused: string[][];
  /** Of connections so far, and of those open at once the most. */
  connections: { total: number; most: number };
  /** Waits until there are as many mails. */
  until(count: number): Promise<ReceivedMail[]>;
  stop(): Promise<void>;
}

const WAIT_MS_MAX = 10_000;

/** What every registration sends; tests that are about other mails leave these out. */
export const PROOF_MAIL = /^Subject: Confirm your email address/;

/** `unkept`: a header line of mails that are taken and forgotten. */
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
  // A client that leaves in the middle is what some tests are about.
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
