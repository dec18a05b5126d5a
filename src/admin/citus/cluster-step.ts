/** Part of a command that can be interrupted: done at once, or found done. */
export interface ClusterStep {
  what: string;
  isDone(): Promise<boolean>;
  do(): Promise<void>;
}
