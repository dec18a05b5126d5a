/** What the pictures are drawn of: lengths are in modules, the quiet zone included. */
export interface QrDrawing {
  title: string;
  side: number;
  /** Without what lies under the logo. */
  isDark(x: number, y: number): boolean;
  /** `#rrggbb` each. */
  dark: string;
  light: string;
  /** Pixels. */
  width: number;
  logo: QrLogo | undefined;
}

export interface QrLogo {
  /** Square. */
  png: Uint8Array;
  /** Where it lies within its plate, from both edges. */
  start: number;
  length: number;
}

export interface Run {
  x: number;
  y: number;
  length: number;
}

/** Lists runs of adjacent dark modules, row by row. */
export function* darkRuns({ side, isDark }: Pick<QrDrawing, "side" | "isDark">): Generator<Run> {
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const start = x;
      while (x < side && isDark(x, y)) x++;
      if (x > start) yield { x: start, y, length: x - start };
    }
  }
}
