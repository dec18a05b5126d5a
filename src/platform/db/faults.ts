/** The constraint a write ran into, or undefined when it failed otherwise. Drizzle wraps what postgres.js threw. */
export function violatedConstraint(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && (cause.code === "23505" || cause.code === "23503") && "constraint_name" in cause) {
      return String(cause.constraint_name);
    }
  }
  return undefined;
}
