/**
 * CSV answers (RFC 4180), streamed. Rows are asked for when the client has taken the former ones, so that an export of any
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
export async function csvResponse({ filename, header, chunks, failed }: CsvOptions): Promise<Response> {
  const rows = chunks[Symbol.asyncIterator]();
  const first = await rows.next();
  return new Response(streamOf(csvLine(header), first, rows, failed), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": attachment(filename),
    },
  });
}

type Rows = AsyncIterator<readonly (readonly Cell[])[]>;

function streamOf(
  head: string,
  first: Awaited<ReturnType<Rows["next"]>>,
  rows: Rows,
  failed: CsvOptions["failed"],
): ReadableStream {
  const encoder = new TextEncoder();
  let next: typeof first | undefined = first;
  return new ReadableStream(
    {
      start: (controller) => controller.enqueue(encoder.encode(head)),
      async pull(controller) {
        try {
          const { done, value } = next ?? (await rows.next());
          next = undefined;
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value.map(csvLine).join("")));
        } catch (error) {
          failed(error);
          controller.error(error);
        }
      },
      async cancel() {
        await rows.return?.();
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
