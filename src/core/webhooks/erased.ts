/** True if any part of a message was removed after it was sent, because a visitor it described was erased. */
export function isErased(body: string): boolean {
  const message: unknown = JSON.parse(body);
  if (typeof message !== "object" || message === null) return false;
  const told = "events" in message && Array.isArray(message.events) ? message.events : [message];
  return told.some((each) => isErasureMarker(each?.data));
}

/** Matches the marker that erasure writes. Other messages have different fields. */
const isErasureMarker = (data: unknown): boolean =>
  typeof data === "object" && data !== null && "erased" in data && Object.keys(data).length === 1;
