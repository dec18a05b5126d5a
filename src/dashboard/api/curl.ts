/** Requests to the API as they can be pasted into a shell. */

/** An access token in the shell's environment: the session's own never stands in a command. */
export const TOKEN_HEADER = '-H "Authorization: Bearer $WAYMARK_TOKEN"';

/** What a shell or curl itself would take for its own. */
const SPECIAL = /['[\]{}]/g;

/** The header stands as it is. With a body, which is JSON, it is a POST. */
export function curlOf(address: string, header: string, body?: string): string {
  const escaped = address.replaceAll(SPECIAL, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const sent = body === undefined ? "" : ` -H 'Content-Type: application/json' -d '${body.replaceAll("'", "'\\''")}'`;
  return `curl '${escaped}' ${header}${sent}`;
}
