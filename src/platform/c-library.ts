/** The system's C library, for the few calls that neither Bun nor Node offers. */
import { dlopen, type FFIFunction, type Library } from "bun:ffi";

const LINUX = ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`];
const NAMES: Partial<Record<NodeJS.Platform, string[]>> = { linux: LINUX, darwin: ["libSystem.B.dylib"] };

/** Throws if there is no C library that Bun can load. */
export function openCLibrary<Symbols extends Record<string, FFIFunction>>(
  symbols: Symbols,
): Library<Symbols>["symbols"] {
  const faults: unknown[] = [];
  for (const name of NAMES[process.platform] ?? []) {
    try {
      return dlopen(name, symbols).symbols;
    } catch (error) {
      faults.push(error);
    }
  }
  throw new AggregateError(faults, "Could not load the C library");
}
