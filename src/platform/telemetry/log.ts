/**
 * Structured logs: one JSON line per entry. Lines are collected within an event-loop turn and written together, so
 * that logging never waits.
 */
export type LogFields = Record<string, unknown>;

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  flush(): void;
}

/** `always` is added to every line; entries below the level `least` are not written. */
export function createLog(write: (text: string) => void, always: LogFields = {}, least: LogLevel = "debug"): Log {
  let lines: string[] = [];
  const flush = () => {
    if (lines.length === 0) return;
    const text = lines.join("");
    lines = [];
    write(text);
  };
  const put = (level: LogLevel) => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least)) return () => undefined;
    return (message: string, fields: LogFields = {}) => {
      if (lines.length === 0) setImmediate(flush);
      lines.push(
        `${JSON.stringify({ time: new Date().toISOString(), level, message, ...always, ...plain(fields) })}\n`,
      );
    };
  };
  return { debug: put("debug"), info: put("info"), warn: put("warn"), error: put("error"), flush };
}

/** Replaces each error by its name, message, code, stack and cause; everything else stays unchanged. */
function plain(fields: LogFields): LogFields {
  const entries = Object.entries(fields).map(([key, value]) => [
    key,
    value instanceof Error ? plainError(value, CAUSES_MAX) : value,
  ]);
  return Object.fromEntries(entries);
}

const CAUSES_MAX = 3;

function plainError(error: Error, causesMax: number): LogFields {
  const { name, cause } = error;
  const [message, stack] = [error.message, error.stack].map((text) => text?.replace(PARAMETERS, ""));
  const code = "code" in error ? { code: error.code } : {};
  const because = cause instanceof Error && causesMax > 0 ? { cause: plainError(cause, causesMax - 1) } : {};
  return { name, message, ...code, stack, ...because };
}

/**
 * The parameters of a failed query, which its error appends to the query's text: addresses, leads, hashes. They do
 * not belong in a log.
 */
const PARAMETERS = /(?<=Failed query: .*)\nparams: .*?(?=\n {4}at |$)/s;
