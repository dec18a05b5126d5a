/**
 * When a link was out of use for a reason that is known, mostly because people wanted it so: it was deleted, paused or
 * archived, it had not started, it expired, its visits were used up, or its domain was not verified.
 */
import type { Span } from "../time/time-range";

export interface LinkStop {
  kind: "deleted" | "paused" | "archived" | "not_started" | "expired" | "used_up" | "unverified";
  /** Unix milliseconds; `to` is exclusive, and infinite as long as nothing has changed. */
  from: number;
  to: number;
}

export interface StoppedState {
  isActive: boolean;
  isArchived: boolean;
  /** Unix milliseconds, as are all times here. */
  startsAt: number | null;
  expiresAt: number | null;
  deletedAt: number | null;
  usedUpAt: number | null;
  /** Of its domain. */
  isVerified: boolean;
}

/** A change of one field, at a time in Unix milliseconds. Instants among the values are, too. */
export interface StateChange {
  at: number;
  field: "isActive" | "isArchived" | "startsAt" | "expiresAt" | "isVerified";
  from: boolean | number | null;
  to: boolean | number | null;
}

/** Returns the periods without use, given the link as it is now and the changes that led there, in order. */
export function stopsOf(state: StoppedState, changes: readonly StateChange[]): LinkStop[] {
  const of = (field: StateChange["field"]) => changes.filter((change) => change.field === field);
  const stops: LinkStop[] = [
    ...periodsOf(of("isActive"), state.isActive).flatMap(({ value, ...period }) =>
      value === false ? [{ kind: "paused" as const, ...period }] : [],
    ),
    ...periodsOf(of("isArchived"), state.isArchived).flatMap(({ value, ...period }) =>
      value === true ? [{ kind: "archived" as const, ...period }] : [],
    ),
    ...periodsOf(of("startsAt"), state.startsAt).flatMap(({ value, from, to }) =>
      typeof value === "number" ? [{ kind: "not_started" as const, from, to: Math.min(to, value) }] : [],
    ),
    ...periodsOf(of("expiresAt"), state.expiresAt).flatMap(({ value, from, to }) =>
      typeof value === "number" ? [{ kind: "expired" as const, from: Math.max(from, value), to }] : [],
    ),
    ...periodsOf(of("isVerified"), state.isVerified).flatMap(({ value, ...period }) =>
      value === false ? [{ kind: "unverified" as const, ...period }] : [],
    ),
    ...openFrom("used_up", state.usedUpAt),
    ...openFrom("deleted", state.deletedAt),
  ];
  return stops.filter(({ from, to }) => from < to);
}

/** Returns the share of a span in which the link was in use. Times that have two reasons count twice. */
export function shareInUse(stops: readonly LinkStop[], span: Span): number {
  const stopped = stops
    .filter(({ kind }) => kind !== "archived")
    .map(({ from, to }) => Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)));
  return Math.max(0, 1 - stopped.reduce((sum, ms) => sum + ms, 0) / (span.to - span.from));
}

const openFrom = (kind: LinkStop["kind"], from: number | null): LinkStop[] =>
  from === null ? [] : [{ kind, from, to: Number.POSITIVE_INFINITY }];

function periodsOf(changes: readonly StateChange[], now: StateChange["to"]) {
  const ends = [...changes.map(({ at }) => at), Number.POSITIVE_INFINITY];
  const [first] = changes;
  const values = [first ? first.from : now, ...changes.map(({ to }) => to)];
  return values.map((value, index) => ({
    value,
    from: index === 0 ? Number.NEGATIVE_INFINITY : (ends[index - 1] ?? 0),
    to: ends[index] ?? 0,
  }));
}

/** Says what became of the link: `was deleted on 2026-11-05 at 14:20 UTC`. */
export function stopInWords({ kind, from, to }: LinkStop): string {
  const since = from > 0 ? ` on ${timeOf(from)}` : "";
  const until = Number.isFinite(to) ? ` until ${timeOf(to)}` : "";
  switch (kind) {
    case "deleted":
      return `was deleted${since}`;
    case "paused":
      return `was paused${since}${until}`;
    case "archived":
      return `was archived${since}${until}, though archived links still serve`;
    case "not_started":
      return `was set${since} to start on ${timeOf(to)}`;
    case "expired":
      return `expired${since}${until === "" ? "" : ` and was prolonged on ${timeOf(to)}`}`;
    case "used_up":
      return `had used up its visits${since}`;
    case "unverified":
      return `was unreachable${since}${until}, because its domain was not verified`;
    default:
      return kind satisfies never;
  }
}

function timeOf(at: number): string {
  const text = new Date(at).toISOString();
  return `${text.slice(0, 10)} at ${text.slice(11, 16)} UTC`;
}
