/** Reports whether the client asks to close the connection after the response. */
export const closesConnection = ({ headers }: Request): boolean => /\bclose\b/i.test(headers.get("connection") ?? "");
