import type { Lead } from "@/contract/links/leads";
import type { LeadRow } from "./store";

export const presentLead = ({ id, linkId, fields, visitorId, createdAt }: LeadRow): Lead => ({
  _id: id,
  linkId,
  fields,
  visitorId,
  createdAt: createdAt.toISOString(),
});
