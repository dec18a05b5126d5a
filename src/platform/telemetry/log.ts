/** Structured logs: one JSON line each, gathered within a turn and written together, so that logging never waits. */
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

/** `always` stands in every line; what is below `least` is not written. */
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

/** Errors become their message, stack and cause; everything else stays as it is. */
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

/** What a failed query was given, which its error tells behind its text: addresses, leads, hashes. Not a log's business. */
const PARAMETERS = /(?<=Failed query: .*)\nparams: .*?(?=\n {4}at |$)/s;
