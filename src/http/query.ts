/** Rejects query strings that contain what no field may hold: NUL bytes, and percent-encoding that is not UTF-8. */
import { textFault } from "./body/unfit";
import { invalid } from "./errors";

/** Throws 400 with every invalid field. */
export function checkQueryText(url: string): void {
  const start = url.indexOf("?");
  if (start < 0 || !url.includes("%", start)) return;
  const faults = url
    .slice(start + 1)
    .split("&")
    .flatMap((pair) => pairFaults(...split(pair)));
  if (faults.length > 0) throw invalid(faults);
}

function pairFaults(key: string, value: string): string[] {
  const name = decoded(key);
  if (name === undefined || textFault(name)) return ["query: a name is not valid UTF-8 or contains a NUL byte"];
  const text = decoded(value);
  const fault = text === undefined ? "must be percent-encoded UTF-8" : textFault(text);
  return fault ? [`${name}: ${fault}`] : [];
}

function split(pair: string): [key: string, value: string] {
  const end = pair.indexOf("=");
  return end < 0 ? [pair, ""] : [pair.slice(0, end), pair.slice(end + 1)];
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
