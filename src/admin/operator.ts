import type { Actor } from "@/core/ids";

/** Who the audit log names for an operator's command. */
export const OPERATOR: Actor = { type: "system", id: null, email: null, ip: null, userAgent: null };
