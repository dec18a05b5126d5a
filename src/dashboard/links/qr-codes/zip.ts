/** A ZIP file that is built file by file, so that no single step has to compress all of them. */
import { Zip, ZipDeflate, ZipPassThrough } from "fflate";

export type CodeFormat = "svg" | "png";

export class CodeZip {
  readonly #parts: Uint8Array<ArrayBuffer>[] = [];
  readonly #zip = new Zip((error, part) => {
    if (error) throw error;
    this.#parts.push(new Uint8Array(part));
  });

  constructor(readonly format: CodeFormat) {}

  add(name: string, bytes: Uint8Array): void {
    // A PNG is already compressed.
    const file = this.format === "png" ? new ZipPassThrough(name) : new ZipDeflate(name);
    this.#zip.add(file);
    file.push(bytes, true);
  }

  finished(): Blob {
    this.#zip.end();
    return new Blob(this.#parts, { type: "application/zip" });
  }
}
