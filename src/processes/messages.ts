/** What a supervisor and its workers tell each other. Both ends are of one version, or one restart apart: unknown is ignored. */

export type Order =
  /** Take all new connections, as the last of so many that listen. */
  | { do: "attract"; listeners: number }
  /** Share new connections with the others again. */
  | { do: "share" }
  /** Hand over, drain, exit. */
  | { do: "leave"; hasSuccessor: boolean };

export type Report =
  /** It listens. */
  | "ready"
  /** The last order about new connections is carried out, as far as the system allows. */
  | "steered"
  /** It listens no more. */
  | "deaf";

const REPORTS: readonly unknown[] = ["ready", "steered", "deaf"] satisfies Report[];
const ORDERS: readonly unknown[] = ["attract", "share", "leave"] satisfies Order["do"][];

export const isReport = (message: unknown): message is Report => REPORTS.includes(message);

export const isOrder = (message: unknown): message is Order =>
  typeof message === "object" && message !== null && "do" in message && ORDERS.includes(message.do);
