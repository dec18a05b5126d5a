/**
 * The messages between a supervisor and its workers. Both ends are of the same version, or one restart apart, so
 * unknown messages are ignored.
 */
import type { WorkerMetrics } from "@/platform/telemetry/metrics";

export type Order =
  /** Orders the worker to take all new connections; it is the last of `listeners` that listen. */
  | { do: "attract"; listeners: number }
  /** Orders the worker to share new connections with the others again. */
  | { do: "share" }
  /** Orders the worker to hand over, drain and exit. */
  | { do: "leave"; hasSuccessor: boolean }
  /** Requests the worker's metrics; it responds with a `measured` note with this id. */
  | { do: "measure"; id: number }
  /** The response to an `asked` note: the metrics of all workers. */
  | { do: "hear"; id: number; metrics: WorkerMetrics[] };

/** An order about new connections. */
export type ConnectionOrder = Extract<Order, { do: "attract" | "share" }>;

export type WorkerReport =
  /** The worker is updating the schema and makes progress, sent every few seconds. */
  | "migrating"
  /** The worker listens. */
  | "ready"
  /** The last order about new connections is carried out, as far as the system allows. */
  | "steered"
  /** The worker no longer listens. */
  | "deaf";

export type Note =
  /** Requests the metrics of all workers. */
  | { note: "asked"; id: number }
  /** The response to `measure`. */
  | { note: "measured"; id: number; metrics: WorkerMetrics };

const REPORTS: readonly unknown[] = ["migrating", "ready", "steered", "deaf"] satisfies WorkerReport[];
const ORDERS: readonly unknown[] = ["attract", "share", "leave", "measure", "hear"] satisfies Order["do"][];

export const isReport = (message: unknown): message is WorkerReport => REPORTS.includes(message);

export const isOrder = (message: unknown): message is Order =>
  typeof message === "object" && message !== null && "do" in message && ORDERS.includes(message.do);

const NOTES: readonly unknown[] = ["asked", "measured"] satisfies Note["note"][];

export const isNote = (message: unknown): message is Note =>
  typeof message === "object" && message !== null && "note" in message && NOTES.includes(message.note);
