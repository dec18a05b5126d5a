/** Formats API requests as curl commands that can be pasted into a shell. */

/** Takes an access token from the shell's environment, so that a command never contains the session's own. */
export const TOKEN_HEADER = '-H "Authorization: Bearer $WAYMARK_TOKEN"';

/** Characters that the shell or curl would interpret. */
const SPECIAL = /['[\]{}]/g;

/** Inserts the header unchanged. With a JSON body, the request is a POST. */
export function curlOf(address: string, header: string, body?: string): string {
  const escaped = address.replaceAll(SPECIAL, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const sent = body === undefined ? "" : ` -H 'Content-Type: application/json' -d '${body.replaceAll("'", "'\\''")}'`;
  return `curl '${escaped}' ${header}${sent}`;
}
