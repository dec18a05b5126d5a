/** What all pictures of a QR code are drawn from. Lengths are in modules, including the quiet zone. */
export interface QrDrawing {
  title: string;
  side: number;
  /** Excludes the modules that lie under the logo. */
  isDark(x: number, y: number): boolean;
  /** Both colors are `#rrggbb`. */
  dark: string;
  light: string;
  /** Width of the picture in pixels. */
  width: number;
  logo: QrLogo | undefined;
}

export interface QrLogo {
  /** A square image. */
  png: Uint8Array;
  /** Distance from the picture's left and top edges, which are the same. */
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
