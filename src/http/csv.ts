/**
 * CSV answers (RFC 4180), streamed. Rows are asked for when the client has taken the former ones, so that an export of any
 * length takes the memory of one chunk, and one that nobody reads any more asks for nothing further.
 */

export type Cell = string | number | null;

/**
 * What a spreadsheet would take for a formula when it opens the file. Some drop spaces, controls and characters that nobody
 * sees before they look, and take the fullwidth and small forms of a sign for the sign.
 */
const FORMULA =
  /^(?:[\t\r\n]|[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212])/u;
const NEEDS_QUOTES = /[",\r\n]/;

/** One record with its line end. Text that starts like a formula gets an apostrophe in front; numbers stay numbers. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(field).join(",")}\r\n`;

function field(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

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
