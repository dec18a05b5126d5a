/**
 * Streams downloads, most of them CSV (RFC 4180). Rows are requested only once the client has received the previous
 * ones, so that an export of any length takes the memory of one chunk, and an abandoned one requests nothing more.
 */
import { type Cell, csvLine } from "@/core/csv/cells";
import { isAbandoned, levelOfFailure } from "@/platform/db/faults";
import type { Log } from "@/platform/telemetry/log";
import { asStream } from "./headers/content-length";

export interface CsvOptions {
  /** File name with its extension. */
  filename: string;
  header: readonly string[];
  chunks: AsyncIterable<readonly (readonly Cell[])[]>;
  /**
   * Called with the error that ended the rows early, but not if only the client disconnected. The client sees its
   * connection close.
   */
  failed(error: unknown): void;
}

/**
 * Resolves once the first rows are available or there are none. Rejects if reading them fails, so that the client can
 * still receive an error response.
 */
export const csvResponse = ({ filename, header, chunks, failed }: CsvOptions): Promise<Response> =>
  download({ filename, contentType: CSV_TYPE, head: csvLine(header), chunks: linesOf(chunks), failed });

/** Returns a `failed` that logs what was being downloaded. */
export const logAborted =
  (log: Log, what: string, orgId: string): CsvOptions["failed"] =>
  (error) =>
    log[levelOfFailure(error)](`${what} aborted`, { error, orgId });

async function* linesOf(chunks: CsvOptions["chunks"]): AsyncGenerator<string> {
  for await (const rows of chunks) yield rows.map(csvLine).join("");
}

export const CSV_TYPE = "text/csv; charset=utf-8";
export const JSON_LINES_TYPE = "application/jsonl; charset=utf-8";

export interface DownloadOptions<Chunk extends string | Uint8Array> {
  filename: string;
  contentType: string;
  head?: Chunk;
  chunks: AsyncIterable<Chunk>;
  failed(error: unknown): void;
}

/** Resolves as `csvResponse` does. */
export async function download<Chunk extends string | Uint8Array>(options: DownloadOptions<Chunk>): Promise<Response> {
  const { filename, contentType, head, chunks, failed } = options;
  const rest = chunks[Symbol.asyncIterator]();
  const first = await rest.next();
  const headers = { "content-type": contentType, "content-disposition": attachment(filename) };
  return asStream(new Response(streamOf(head, first, rest, failed), { headers }));
}

function streamOf<Chunk extends string | Uint8Array>(
  head: Chunk | undefined,
  first: IteratorResult<Chunk>,
  rest: AsyncIterator<Chunk>,
  failed: CsvOptions["failed"],
): ReadableStream {
  const encoder = new TextEncoder();
  const bytesOf = (chunk: Chunk) => (typeof chunk === "string" ? encoder.encode(chunk) : chunk);
  let next: typeof first | undefined = first;
  let isCancelled = false;
  return new ReadableStream(
    {
      start: (controller) => {
        if (head !== undefined) controller.enqueue(bytesOf(head));
      },
      async pull(controller) {
        try {
          const { done, value } = next ?? (await rest.next());
          next = undefined;
          if (isCancelled) return;
          if (done) controller.close();
          else controller.enqueue(bytesOf(value));
        } catch (error) {
          if (!isAbandoned(error)) failed(error);
          if (!isCancelled) controller.error(error);
        }
      },
      async cancel() {
        isCancelled = true;
        await rest.return?.();
      },
    },
    { highWaterMark: 1 },
  );
}

/**
 * Returns the `Content-Disposition` of a download under RFC 6266: the full name in UTF-8, and an ASCII form for older
 * clients.
 */
export function attachment(filename: string): string {
  const ascii = filename.replaceAll(/[^\x20-\x7e]|["\\%/]/g, "_");
  const encoded = encodeURIComponent(filename).replaceAll(/['()*!]/g, escaped);
  return `attachment; filename="${ascii}"${ascii === filename ? "" : `; filename*=UTF-8''${encoded}`}`;
}

const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
