/** Requests to the measured service, and what is made of their times. */

export async function post<Body>(url: string, body: unknown, token?: string): Promise<Body> {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
}

/** Waits for the next rate-limit window if this was the last request that the current one allows. */
export async function untilAllowed({ headers }: Response): Promise<void> {
  if (headers.get("x-ratelimit-remaining") !== "0") return;
  await Bun.sleep(Math.max(0, Number(headers.get("x-ratelimit-reset")) * 1000 - Date.now()));
}

/** Returns the time that this share of the requests stayed below, in tenths of a millisecond. */
export const quantileOf = (sortedMs: readonly number[], share: number): number =>
  Number(sortedMs[Math.floor(sortedMs.length * share)]?.toFixed(1));
