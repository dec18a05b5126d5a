/**
 * True if `If-None-Match` names the entity tag, so that the client already has what it would be sent. Tags are compared
 * weakly, as is required for GET (RFC 9110, 13.1.2).
 */
export const hasCurrent = (ifNoneMatch: string | null, etag: string): boolean =>
  (ifNoneMatch ?? "").split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")));
