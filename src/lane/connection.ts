/** The state of a visitor's connection to the lane. */
import type { Socket } from "bun";
import type { Tunnel } from "./tunnel";

const HELD_BYTES_MAX = 65_536;

export type LaneVisitor = Socket<LaneConnection>;

export interface LaneConnection {
  readonly peer: string;
  /** The stopwatch's milliseconds at which the connection was last idle, or last accepted part of a response. */
  seenAt: number;
  isAnswering: boolean;
  /** Bytes received for the exchanges after the one in progress. */
  held: Buffer | undefined;
  /** True once the visitor has closed its sending side. */
  hasEnded: boolean;
  /** True once the response in progress is the connection's last: bytes after its request are ignored. */
  isLast: boolean;
  /** The part of a response that the visitor has not accepted yet. */
  rest: Buffer | null;
  tunnel: Tunnel | null;
  tunnelIdleAt: number;
}

type Away = LaneConnection & { tunnel: Tunnel };

export const isServed = (connection: LaneConnection): boolean => connection.isAnswering || isTunneled(connection);

export const isTunneled = (connection: LaneConnection): connection is Away => connection.tunnel?.isIdle === false;

/** Keeps bytes for later. Beyond `HELD_BYTES_MAX` and one read, the visitor has to wait with what it sends. */
export function holdBytes(visitor: LaneVisitor, bytes: Buffer | undefined): void {
  if (bytes === undefined) return;
  const { data } = visitor;
  data.held = data.held === undefined ? bytes : Buffer.concat([data.held, bytes]);
  if (data.held.length > HELD_BYTES_MAX) visitor.pause();
}

/** Returns the bytes kept so far, and reads on. Call it before they are passed on, which may pause the visitor again. */
export function takeHeld(visitor: LaneVisitor): Buffer | undefined {
  const { data } = visitor;
  const { held } = data;
  data.held = undefined;
  if (held !== undefined && held.length > HELD_BYTES_MAX) visitor.resume();
  return held;
}
