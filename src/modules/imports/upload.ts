/**
 * Reads the upload of an import as a stream: its file is stored in Postgres in parts of `PART_BYTES`, so that any
 * server can do the job, and no more than one part is in memory. While a part is written, nothing more is read from
 * the client.
 *
 * Bounds: `IMPORT_BYTES_MAX`, `IMPORT_RECORDS_MAX`. An interrupted upload leaves parts without an import, which
 * are deleted after a day.
 */
import { setImmediate } from "node:timers/promises";
import { IMPORT_RECORDS_MAX, ImportOptionsInput } from "@/contract/links/imports";
import { IMPORT_BYTES_MAX } from "@/core/imports/limits";
import { isSql } from "@/core/imports/sql/sniff-sql";
import { refuseCompressed } from "@/http/body/read-body";
import { fitText } from "@/http/body/unfit";
import { discardBody } from "@/http/body/unread-body";
import { HttpError, hungUp, invalid, malformed } from "@/http/errors";
import type { ImportFile } from "@/platform/db/schema/links/imports";
import { EncodingGuess } from "./encoding-guess";
import { noTextFault } from "./no-text-file";
import { RecordCount, TOO_MANY_RECORDS } from "./record-count";
import { utf16Of } from "./utf16";

export const FILE_TOO_LARGE = `The file is larger than ${IMPORT_BYTES_MAX} bytes; split it`;

const PART_BYTES = 1 << 20;
/**
 * Bytes parsed per event-loop turn, which takes about a millisecond; other requests are served in between. A whole
 * file may arrive in one piece.
 */
const PIECE_BYTES = 128 * 1024;
const OPTIONS_BYTES_MAX = 64 * 1024;
/** Bytes at the beginning of the file by which its format is recognized. */
const HEAD_BYTES = 256 * 1024;
/** A header, and a `sep=` line if Excel wrote one. */
const LINES_ABOVE_MAX = 2;

export interface Uploaded extends Omit<ImportFile, "form"> {
  /** Text at the beginning of the file. */
  head: string;
  /** True if `head` is the whole file. */
  isHeadAll: boolean;
  /** Records counted, with the lines above those of a CSV; the file may have more (`RecordCount`). */
  records: number;
  options: string;
}

type Keep = (content: Uint8Array) => Promise<void>;

/** Throws 400, also for a compressed file, 413 and 415. */
export async function readUpload(request: Request, keep: Keep): Promise<Uploaded> {
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(contentType))
    throw new HttpError(415, "The body must be multipart/form-data with a part named file");
  refuseCompressed(request);
  if (request.body === null) throw invalid(["file: required"]);
  const body = request.body.getReader();
  try {
    if (Number(request.headers.get("content-length") ?? 0) > IMPORT_BYTES_MAX + OPTIONS_BYTES_MAX) throw fileTooLarge();
    const file = new FileParts(keep);
    const form = await openForm(contentType, file);
    for (;;) {
      const { done, value } = await body.read().catch(() => {
        throw hungUp();
      });
      if (done) break;
      for (let at = 0; at < value.length; at += PIECE_BYTES) {
        form.write(value.subarray(at, at + PIECE_BYTES));
        await file.settle();
        await setImmediate();
      }
    }
    const options = await form.end();
    await file.end();
    if (file.name === null) throw invalid(["file: required"]);
    return { ...file.facts(), name: file.name, options };
  } catch (error) {
    await discardBody(body);
    throw error;
  }
}

/** Throws 400 if the body is not a form. */
async function openForm(contentType: string, file: FileParts) {
  let options: string | undefined;
  const ended = Promise.withResolvers<void>();
  ended.promise.catch(() => {});
  let fault: unknown;
  const fail = (error: unknown) => {
    fault ??= error;
    ended.reject(error);
  };
  const takeOptions = (text: string, isTruncated: boolean) => {
    if (isTruncated) return fail(invalid([`options: expected at most ${OPTIONS_BYTES_MAX} bytes`]));
    if (options !== undefined) return fail(invalid(["options: sent twice"]));
    options = text;
  };
  /** Reads options that are sent as a file of their own. */
  const readOptions = (stream: NodeJS.ReadableStream) => {
    const [decoder, parts]: [TextDecoder, string[]] = [new TextDecoder(), []];
    let bytes = 0;
    stream.on("data", (content: Buffer) => {
      bytes += content.length;
      if (bytes > OPTIONS_BYTES_MAX) takeOptions("", true);
      else parts.push(decoder.decode(content, { stream: true }));
    });
    stream.on("end", () => takeOptions(parts.join("") + decoder.decode(), false));
  };
  const busboy = await formReader(contentType);
  busboy.on("file", (name, stream, fileName) => {
    if (name === "options") return readOptions(stream);
    if (name !== "file") return fail(unknownPart(name));
    if (file.name !== null) return fail(invalid(["file: sent twice"]));
    file.name = fileName.slice(0, 255).toWellFormed().replaceAll("\0", "") || "file";
    stream.on("data", (content: Buffer) => file.add(content));
    stream.on("limit", () => fail(fileTooLarge()));
  });
  busboy.on("field", (name, value, _, isTruncated) => {
    if (name === "file") return fail(invalid(["file: expected a part with a file name"]));
    if (name !== "options") return fail(unknownPart(name));
    takeOptions(value, isTruncated);
  });
  busboy.on("error", () => fail(notAForm()));
  busboy.on("finish", () => ended.resolve());
  return {
    write(content: Uint8Array) {
      busboy.write(Buffer.from(content));
      if (fault) throw fault;
    },
    async end() {
      busboy.end();
      await ended.promise;
      if (fault) throw fault;
      return options ?? "";
    },
  };
}

/** The parser is loaded with the first upload. */
async function formReader(contentType: string) {
  const { default: Busboy } = await import("@fastify/busboy");
  const limits = { fileSize: IMPORT_BYTES_MAX, files: 3, fields: 3, fieldSize: OPTIONS_BYTES_MAX };
  try {
    return Busboy({ headers: { "content-type": contentType }, limits });
  } catch {
    throw notAForm();
  }
}

/** Collects the file's bytes as they arrive. */
class FileParts {
  name: string | null = null;
  readonly #keep: Keep;
  readonly #hash = new Bun.CryptoHasher("sha256");
  readonly #guess = new EncodingGuess();
  #encoding: ImportFile["encoding"] = "utf-8";
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #head = Buffer.alloc(0);
  #bytes = 0;
  readonly #records = new RecordCount();
  /** Undefined until it matters. */
  #isSql: boolean | undefined;

  constructor(keep: Keep) {
    this.#keep = keep;
  }

  add(content: Uint8Array): void {
    this.#bytes += content.length;
    this.#hash.update(content);
    if (this.#head.length < HEAD_BYTES) this.#head = Buffer.concat([this.#head, content]);
    this.#records.add(content);
    this.#guess.add(content);
    this.#waiting.push(content);
    this.#waitingBytes += content.length;
  }

  /** Throws 400 and 413. */
  async settle(): Promise<void> {
    this.#checkKind();
    this.#checkRecords();
    if (this.#waitingBytes >= PART_BYTES) await this.#flush();
  }

  /** Throws 400 and 413: the end of the form may have brought the last records, or all of a small file. */
  async end(): Promise<void> {
    this.#records.end();
    this.#checkKind();
    this.#checkRecords();
    this.#encoding = utf16Of(this.#head) ?? this.#guess.end();
    if (this.#waitingBytes > 0) await this.#flush();
  }

  /** Most rows of an SQL dump are visits: the job counts the links in it. */
  #checkRecords(): void {
    if (this.#records.counted <= IMPORT_RECORDS_MAX + LINES_ABOVE_MAX) return;
    this.#isSql ??= isSql(this.#headAs(utf16Of(this.#head) ?? "utf-8"));
    if (!this.#isSql) throw new HttpError(413, TOO_MANY_RECORDS);
  }

  #checkKind(): void {
    const fault = noTextFault(this.#head);
    if (fault) throw invalid([`file: ${fault}`], `The file ${this.name} cannot be imported`);
  }

  #headAs = (encoding: ImportFile["encoding"]): string =>
    new TextDecoder(encoding).decode(this.#head, { stream: true });

  facts(): Omit<Uploaded, "name" | "options"> {
    const encoding = this.#encoding;
    const head = this.#headAs(encoding);
    const isHeadAll = this.#head.length === this.#bytes;
    const records = this.#records.counted;
    return { bytes: this.#bytes, hash: this.#hash.digest("hex"), encoding, head, isHeadAll, records };
  }

  async #flush(): Promise<void> {
    const content = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    await this.#keep(content);
  }
}

const fileTooLarge = () => new HttpError(413, FILE_TOO_LARGE);
/** Without an option that is in the wrong place, the import would be another one than was asked for. */
function unknownPart(name: string): HttpError {
  const isOption = Object.hasOwn(ImportOptionsInput.properties, name);
  const why = isOption ? "belongs in `options`, as JSON" : "there is no such part; expected file and options";
  return invalid([`${fitText(name)}: ${why}`]);
}

const notAForm = () => malformed("The body is not valid multipart/form-data");
