import { afterAll, describe, expect, test } from "bun:test";
import { type SmtpSink, startSmtp } from "@test/support/servers/smtp";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import type { SMTPServerOptions } from "smtp-server";
import { type Mail, type MailerOptions, openMailer } from "@/platform/mail";
import { createLog } from "@/platform/telemetry/log";

const SECRET = "https://links.example.com/app/reset-password?token=pZ2vK8x1Q0mT5nR7sW3yB6dF9hJ4kL-uCeGiOaVtX_Y";
const mail: Mail = { to: "ada@example.com", subject: "Reset your password", text: `Hello,\n\n${SECRET}\n` };
/** For servers that never respond. The patient limits are for servers that do, however busy the machine is. */
const impatient = { dns: 300, connection: 300, greeting: 300, socket: 300, whole: 1000, close: 100 };
const patient = { dns: 60_000, connection: 60_000, greeting: 60_000, socket: 60_000, whole: 60_000, close: 100 };

let logged = "";
const log = createLog((text) => {
  logged += text;
});
/** Returns the lines logged since the previous call. */
function lines(): Record<string, unknown>[] {
  log.flush();
  const said = logged.trim().split("\n").filter(Boolean);
  logged = "";
  return said.map((line) => JSON.parse(line));
}

async function sink(options?: SMTPServerOptions): Promise<SmtpSink> {
  const started = await startSmtp(options);
  afterAll(() => started.stop());
  return started;
}

function mailer(smtpUrl: string, options: Partial<MailerOptions> = {}) {
  const mailFrom = "Waymark <no-reply@acme.dev>";
  const made = openMailer({ smtpUrl, mailFrom, log, retryAfterMs: [5, 5], timeouts: patient, ...options });
  if (!made) throw new Error("There is no mailer");
  afterAll(() => made[Symbol.asyncDispose]());
  return made;
}

describe("a mail", () => {
  test("is sent from MAIL_FROM to its recipient only, as plain text", async () => {
    const smtp = await sink();
    await mailer(smtp.url).send(mail);
    expect(smtp.mails).toMatchObject([{ from: "no-reply@acme.dev", to: ["ada@example.com"], isEncrypted: false }]);
    expect(smtp.mails[0]?.text.trim()).toBe(mail.text.trim());
    const headers = smtp.mails[0]?.headers ?? [];
    for (const header of [
      "From: Waymark <no-reply@acme.dev>",
      "To: ada@example.com",
      "Subject: Reset your password",
      "Auto-Submitted: auto-generated",
    ]) {
      expect(headers).toContain(header);
    }
    expect(lines()).toEqual([]);
  });

  test("with line breaks in its subject gets no additional header", async () => {
    const smtp = await sink();
    await mailer(smtp.url).send({ ...mail, subject: "Hi\r\nBcc: eve@example.com\r\n\r\nbody" });
    expect(smtp.mails).toMatchObject([{ to: ["ada@example.com"], text: expect.stringContaining("Hello") }]);
    expect(smtp.mails[0]?.headers.filter((line) => /^(bcc|subject)/i.test(line))).toEqual([
      "Subject: Hi Bcc: eve@example.com body",
    ]);
  });

  test.each([
    ["a line break", "ada@example.com\r\nBcc: eve@example.com"],
    ["two addresses", "ada@example.com,eve@example.com"],
    ["two addresses with names", "Ada <ada@example.com>, <eve@example.com>"],
    ["an SMTP command", "ada@example.com>\r\nRCPT TO:<eve@example.com"],
    ["a NUL byte", "ada@example.com\0"],
    ["no address", "ada"],
  ])("for a recipient that is %s is not sent", async (_, to) => {
    const smtp = await sink();
    await mailer(smtp.url).send({ ...mail, to });
    expect(lines()).toMatchObject([{ level: "error", message: "could not send mail" }]);
    expect(smtp.connections.total).toBe(0);
  });

  test("is not sent if there is nothing to send when it is composed", async () => {
    const smtp = await sink();
    await mailer(smtp.url).send(async () => undefined);
    expect([smtp.connections.total, lines()]).toEqual([0, []]);
  });

  test("that cannot be composed is logged, and the next one is sent", async () => {
    const smtp = await sink();
    const { send } = mailer(smtp.url);
    await send(() => Promise.reject(new Error("the database is away")));
    await send(mail);
    expect(lines()).toMatchObject([{ level: "error", message: "could not send mail" }]);
    expect(smtp.mails).toHaveLength(1);
  });

  test("is sent on one of at most two connections, and ten simultaneous ones each arrive once", async () => {
    const smtp = await sink();
    const { send } = mailer(smtp.url);
    const numbers = Array.from({ length: 10 }, (_, number) => `user${number}@example.com`);
    await Promise.all(numbers.map((to) => send({ ...mail, to })));
    expect(smtp.mails.flatMap(({ to }) => to).toSorted()).toEqual(numbers.toSorted());
    expect(smtp.connections.most).toBeLessThanOrEqual(2);
  });
});

describe("encryption and credentials", () => {
  const auth: SMTPServerOptions = {
    authOptional: false,
    disabledCommands: [],
    onAuth: ({ username, password }, _, done) =>
      username === "way mark" && password === "p@ss:/%" ? done(null, { user: username }) : done(new Error("no")),
  };
  const credentials = "way%20mark:p%40ss%3A%2F%25";
  const urlOf = ({ port }: SmtpSink, { user = credentials, query = "" } = {}) =>
    `smtp://${user}@127.0.0.1:${port}${query}`;
  const trusting = "?tls.rejectUnauthorized=false";

  test("STARTTLS is used where offered, before the credentials are sent", async () => {
    const smtp = await sink(auth);
    await mailer(urlOf(smtp, { query: trusting })).send(mail);
    expect(lines()).toEqual([]);
    expect(smtp.mails).toMatchObject([{ isEncrypted: true }]);
  });

  test("TLS from the start with smtps", async () => {
    const smtp = await sink({ ...auth, secure: true });
    await mailer(urlOf(smtp, { query: trusting }).replace("smtp:", "smtps:")).send(mail);
    expect(smtp.mails).toMatchObject([{ isEncrypted: true }]);
  });

  test("a certificate that no authority signed is refused", async () => {
    const smtp = await sink(auth);
    await mailer(urlOf(smtp), { retryAfterMs: [] }).send(mail);
    expect(smtp.mails).toEqual([]);
    expect(JSON.stringify(lines())).toContain("certificate");
  });

  test("a server without STARTTLS is refused where it is required", async () => {
    const smtp = await sink();
    await mailer(`${smtp.url}?requireTLS=true`, { retryAfterMs: [] }).send(mail);
    expect([smtp.mails.length, lines().length]).toEqual([0, 1]);
  });

  test("wrong credentials cause one log line that does not contain them, and no retry", async () => {
    const smtp = await sink(auth);
    await mailer(urlOf(smtp, { user: "waymark:hunter2-hunter2", query: trusting })).send(mail);
    const said = lines();
    expect(said).toMatchObject([{ level: "error", message: "could not send mail", error: { code: "EAUTH" } }]);
    expect(JSON.stringify(said)).not.toContain("hunter2");
    expect(smtp.connections.total).toBe(1);
  });
});

describe("failures", () => {
  test("a temporary one is retried with the same mail and the same id", async () => {
    const smtp = await sink();
    let composed = 0;
    smtp.refusals.push({ code: 451, says: "come back later" }, { code: 421, says: "busy" });
    await mailer(smtp.url).send(async () => {
      composed++;
      return mail;
    });
    expect(composed).toBe(1);
    const sent = [...smtp.refused, ...smtp.mails.map(({ headers }) => headers)];
    const ids = sent.map((headers) => headers.find((line) => /^message-id: <\S+@acme\.dev>$/i.test(line)));
    expect(ids).toEqual(Array(3).fill(expect.any(String)));
    expect(new Set(ids).size).toBe(1);
    expect(lines().map(({ level, message }) => [level, message])).toEqual([
      ["warn", "could not send mail yet"],
      ["warn", "could not send mail yet"],
    ]);
  });

  test("a lasting one is retried as often as configured, then the mail is given up", async () => {
    const smtp = await sink();
    smtp.refusals.push(...Array(10).fill({ code: 451, says: "come back later" }));
    await mailer(smtp.url).send(mail);
    expect(smtp.refusals).toHaveLength(7);
    expect(lines().at(-1)).toMatchObject({ level: "error", message: "could not send mail" });
  });

  test("a refusal that quotes the mail is logged without the quotation", async () => {
    const smtp = await sink();
    smtp.refusals.push({ code: 554, says: "spam: {mail}" });
    await mailer(smtp.url).send(mail);
    expect(smtp.refusals).toEqual([]);
    const said = JSON.stringify(lines());
    expect(said).toContain("554");
    expect(said).not.toContain("token");
    expect(smtp.connections.total).toBe(1);
  });

  test("a refused connection is retried and logged", async () => {
    const smtp = await startSmtp();
    await smtp.stop();
    await mailer(smtp.url).send(mail);
    expect(lines().map(({ message }) => message)).toEqual([
      "could not send mail yet",
      "could not send mail yet",
      "could not send mail",
    ]);
  });

  test("a silent server is given up after a timeout", async () => {
    const smtp = await sink();
    const proxy = await TcpProxy.start(smtp.port);
    afterAll(() => proxy.cut());
    proxy.silence();
    await mailer(`smtp://127.0.0.1:${proxy.port}`, { retryAfterMs: [], timeouts: impatient }).send(mail);
    expect(lines()).toMatchObject([{ message: "could not send mail", error: { code: "ETIMEDOUT" } }]);
  });

  test("a mail beyond the queue's limit is dropped and logged", async () => {
    const smtp = await sink();
    const proxy = await TcpProxy.start(smtp.port);
    afterAll(() => proxy.cut());
    proxy.silence();
    const made = mailer(`smtp://127.0.0.1:${proxy.port}`);
    const sent = Array.from({ length: 501 }, () => made.send(mail));
    await sent.at(-1);
    expect(JSON.stringify(lines())).toContain("Too many mails are waiting");
  });
});

describe("close", () => {
  const patientToClose = { ...patient, close: 5000 };

  test("sends the mails that wait, and none that are added later", async () => {
    const smtp = await sink();
    const made = mailer(smtp.url, { retryAfterMs: [600_000], timeouts: patientToClose });
    smtp.refusals.push({ code: 451, says: "come back later" });
    const sent = [made.send(mail), made.send(mail), made.send(mail)];
    await smtp.until(2);
    await Promise.all([made[Symbol.asyncDispose](), made[Symbol.asyncDispose]()]);
    await Promise.all(sent);
    expect(smtp.mails).toHaveLength(3);
    await made.send(mail);
    expect(smtp.mails).toHaveLength(3);
    expect(lines().at(-1)).toMatchObject({ level: "error", message: "could not send mail" });
  });

  test("gives up a silent server", async () => {
    const smtp = await sink();
    const proxy = await TcpProxy.start(smtp.port);
    afterAll(() => proxy.cut());
    proxy.silence();
    const made = mailer(`smtp://127.0.0.1:${proxy.port}`);
    const sent = made.send(mail);
    await made[Symbol.asyncDispose]();
    await sent;
    expect(lines()).toMatchObject([{ message: "could not send mail" }]);
  });
});

test("without SMTP_URL there is no mailer", () => {
  expect(openMailer({ smtpUrl: null, mailFrom: null, log })).toBeNull();
});
