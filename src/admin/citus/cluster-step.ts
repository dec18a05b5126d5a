/** A part of a command that may be interrupted: it is either done as a whole or, on the next run, found to be done. */
export interface ClusterStep {
  what: string;
  isDone(): Promise<boolean>;
  do(): Promise<void>;
}
