/** What a supervisor and its workers tell each other. Both ends are of one version, or one restart apart: unknown is ignored. */
import type { WorkerMetrics } from "@/platform/telemetry/metrics";

export type Order =
  /** Take all new connections, as the last of so many that listen. */
  | { do: "attract"; listeners: number }
  /** Orders the worker to share new connections with the others again. */
  | { do: "share" }
  /** Orders the worker to hand over, drain and exit. */
  | { do: "leave"; hasSuccessor: boolean }
  /** Say what you have counted; answered by a note with this number. */
  | { do: "measure"; id: number }
  /** The answer to a note that asked: what all have counted. */
  | { do: "hear"; id: number; metrics: WorkerMetrics[] };

/** Orders what happens to new connections. */
export type Steering = Extract<Order, { do: "attract" | "share" }>;

export type WorkerReport =
  /** It listens. */
  | "ready"
  /** The last order about new connections is carried out, as far as the system allows. */
  | "steered"
  /** It listens no more. */
  | "deaf";

export type Note =
  /** What has everybody counted? */
  | { note: "asked"; id: number }
  /** The answer to `measure`. */
  | { note: "measured"; id: number; metrics: WorkerMetrics };

const REPORTS: readonly unknown[] = ["ready", "steered", "deaf"] satisfies WorkerReport[];
const ORDERS: readonly unknown[] = ["attract", "share", "leave", "measure", "hear"] satisfies Order["do"][];

export const isReport = (message: unknown): message is WorkerReport => REPORTS.includes(message);

export const isOrder = (message: unknown): message is Order =>
  typeof message === "object" && message !== null && "do" in message && ORDERS.includes(message.do);

const NOTES: readonly unknown[] = ["asked", "measured"] satisfies Note["note"][];

export const isNote = (message: unknown): message is Note =>
  typeof message === "object" && message !== null && "note" in message && NOTES.includes(message.note);
