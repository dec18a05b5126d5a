/**
 * Downloads, streamed, most of them as CSV (RFC 4180). Rows are asked for when the client has taken the former ones, so that an export of any
 * length takes the memory of one chunk, and one that nobody reads any more asks for nothing further.
 */
import { type Cell, csvLine } from "@/core/csv/cells";

export interface CsvOptions {
  /** The name includes its extension. */
  filename: string;
  header: readonly string[];
  chunks: AsyncIterable<readonly (readonly Cell[])[]>;
  /** Told what ended the rows early, which the client sees as a connection that breaks off. */
  failed(error: unknown): void;
}

/** Resolves once there are rows, or none: until then a failure is thrown, and can still be answered as one. */
export const csvResponse = ({ filename, header, chunks, failed }: CsvOptions): Promise<Response> =>
  download({ filename, contentType: CSV_TYPE, head: csvLine(header), chunks: linesOf(chunks), failed });

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
  return new Response(streamOf(head, first, rest, failed), {
    headers: { "content-type": contentType, "content-disposition": attachment(filename) },
  });
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
  return new ReadableStream(
    {
      start: (controller) => {
        if (head !== undefined) controller.enqueue(bytesOf(head));
      },
      async pull(controller) {
        try {
          const { done, value } = next ?? (await rest.next());
          next = undefined;
          if (done) controller.close();
          else controller.enqueue(bytesOf(value));
        } catch (error) {
          failed(error);
          controller.error(error);
        }
      },
      async cancel() {
        await rest.return?.();
      },
    },
    { highWaterMark: 1 },
  );
}

/** `Content-Disposition` of a download, by RFC 6266: whole for those who read UTF-8, in ASCII for the others. */
export function attachment(filename: string): string {
  const ascii = filename.replaceAll(/[^\x20-\x7e]|["\\%/]/g, "_");
  const encoded = encodeURIComponent(filename).replaceAll(/['()*!]/g, escaped);
  return `attachment; filename="${ascii}"${ascii === filename ? "" : `; filename*=UTF-8''${encoded}`}`;
}

const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
