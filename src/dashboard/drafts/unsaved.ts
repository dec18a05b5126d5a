/** What has been typed and not saved. */
export type Discard = () => void;

/** Unsaved changes, each with a function that discards it. */
export const unsaved = new Set<{ current: Discard }>();
