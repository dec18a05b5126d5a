/** Whether anything was taken out of a message after it was sent, since a visitor it told of was erased. */
export function isErased(body: string): boolean {
  const message: unknown = JSON.parse(body);
  if (typeof message !== "object" || message === null) return false;
  const told = "events" in message && Array.isArray(message.events) ? message.events : [message];
  return told.some((each) => isMark(each?.data));
}

/** As erasure writes it; messages that tell something have other fields. */
const isMark = (data: unknown): boolean =>
  typeof data === "object" && data !== null && "erased" in data && Object.keys(data).length === 1;
