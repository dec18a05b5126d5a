/** What the lane is opened with. */
import type { PlainVisit } from "@/core/routing/plain-visit";
import type { StatedAddress } from "@/platform/client-address";
import type { Clock } from "@/platform/clock";
import type { ReadPlainRequest } from "./plain-request";
import type { Tunnels } from "./tunnels";

export interface LaneOptions {
  port: number;
  hostname: string;
  /** True if other processes listen on the same port. */
  isShared: boolean;
  /** Port of the server behind, which listens on the loopback interface only. */
  portBehind: number;
  read: ReadPlainRequest;
  visit: PlainVisit;
  addressOf: StatedAddress;
  tunnels: Tunnels;
  clock: Clock;
  /** Returns milliseconds since any fixed moment, unaffected by changes to the machine's clock. Tests replace it. */
  stopwatch?: () => number;
  counts: LaneCounts;
  /** How long a connection may be idle. */
  idleMs: number;
  /** How many file descriptors connections may take: one each, and two more for its tunnel. */
  descriptorsMax: number;
  /** Called when connections need more than that: idle ones are closed, or new ones if none is idle. */
  onCrowd(): void;
  /** Called when a visitor is disconnected because the server behind cannot be connected to. */
  onCutOff(error: Error): void;
  /** Called when a visit fails here. The server behind then answers it. */
  onFault(error: unknown): void;
  /** Milliseconds between sweeps for idle connections. Tests shorten it. */
  lookEveryMs?: number;
}

export interface LaneCounts {
  /** Visits answered by the lane itself. */
  answered: number;
  /** Tunnels opened so far. A connection has at most one at a time. */
  tunnels: number;
}
