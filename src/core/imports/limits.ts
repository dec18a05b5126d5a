/** Limit of an imported file: the service refuses a larger one, and the dashboard does not send it. */
export const IMPORT_BYTES_MAX = 50 * 2 ** 20;
