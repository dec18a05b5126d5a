/** A visitor's connection to the lane, and what is under way on it. */
import type { Socket } from "bun";
import type { Tunnel } from "./tunnel";

const HELD_BYTES_MAX = 65_536;

export type LaneVisitor = Socket<LaneConnection>;

export interface LaneConnection {
  readonly peer: string;
  /** When it last was idle, or took some of an answer's rest. */
  seenAt: number;
  isAnswering: boolean;
  /** What came for the exchanges after the one under way. */
  held: Buffer | undefined;
  /** The visitor says no more. */
  hasEnded: boolean;
  /** The answer under way is the last: nothing after its request is heard. */
  isLast: boolean;
  /** Of an answer that the visitor has not taken whole. */
  rest: Buffer | null;
  tunnel: Tunnel | null;
  tunnelIdleAt: number;
}

type Away = LaneConnection & { tunnel: Tunnel };

export const isServed = (connection: LaneConnection): boolean => connection.isAnswering || isAway(connection);

export const isAway = (connection: LaneConnection): connection is Away => connection.tunnel?.isIdle === false;

/** For later. Whoever says more than that without waiting for an answer is cut off. */
export function hold(visitor: LaneVisitor, bytes: Buffer | undefined): void {
  if (bytes === undefined) return;
  const { data } = visitor;
  data.held = data.held === undefined ? Buffer.from(bytes) : Buffer.concat([data.held, bytes]);
  if (data.held.length > HELD_BYTES_MAX) visitor.terminate();
}
