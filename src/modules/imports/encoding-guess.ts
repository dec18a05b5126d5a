/**
 * Tells UTF-8 from CP-1252 while a file is uploaded. Text of services that cut it after so many bytes can have half a
 * character in a file that is UTF-8 otherwise: read as CP-1252, every other umlaut in it would be wrong, also in slugs.
 * State: the characters beyond ASCII so far, and how many of them are none in UTF-8.
 */
const MARK = [0xef, 0xbb, 0xbf];
const ASCII = /[\0-\x7f]+/g;
const BROKEN = "\ufffd";

export class EncodingGuess {
  readonly #strict = new TextDecoder("utf-8", { fatal: true });
  readonly #lenient = new TextDecoder("utf-8");
  #head: number[] = [];
  #isValid = true;
  #whole = 0;
  #broken = 0;

  add(content: Uint8Array): void {
    if (this.#head.length < MARK.length) this.#head.push(...content.subarray(0, MARK.length - this.#head.length));
    this.#isValid &&= this.#isAllValid(content, true);
    this.#count(this.#lenient.decode(content, { stream: true }));
  }

  end(): "utf-8" | "windows-1252" {
    this.#isValid &&= this.#isAllValid(new Uint8Array(), false);
    this.#count(this.#lenient.decode());
    const isMarked = MARK.every((byte, index) => this.#head[index] === byte);
    return isMarked || this.#isValid || this.#whole > this.#broken ? "utf-8" : "windows-1252";
  }

  #count(text: string): void {
    const beyond = text.replace(ASCII, "");
    const whole = beyond.replaceAll(BROKEN, "");
    this.#whole += whole.length;
    this.#broken += beyond.length - whole.length;
  }

  #isAllValid(content: Uint8Array, stream: boolean): boolean {
    try {
      this.#strict.decode(content, { stream });
      return true;
    } catch {
      return false;
    }
  }
}
