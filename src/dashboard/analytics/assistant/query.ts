/** The question to the assistant is kept in the URL; the same figures give the same response. */
import { useQuery } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "@/dashboard/api/client";
import { oncePerAnswer } from "@/dashboard/shell/api-queries";
import { useOrg } from "@/dashboard/shell/session";
import type { FigureQueryState } from "../figure-query";

export const FIELDS = ["goal", "audience", "channel", "tone", "productUrl"] as const;
export type Question = Record<(typeof FIELDS)[number], string>;
export type AssistantAnswer = Schemas["MarketingAssistantResponse"];

export const questionIn = ({ view }: FigureQueryState): Question => ({
  goal: view.get("goal") ?? "",
  audience: view.get("audience") ?? "",
  channel: view.get("channel") ?? "",
  tone: view.get("tone") ?? "",
  productUrl: view.get("productUrl") ?? "",
});

export function useAnswer({ goal, ...rest }: Question, linkId: string | undefined) {
  const { _id: orgId } = useOrg();
  const given = Object.fromEntries(Object.entries(rest).filter(([, text]) => text !== ""));
  const body = { goal, ...given, ...(linkId && { linkId }) };
  return useQuery({
    queryKey: ["assistant", orgId, body],
    enabled: goal !== "",
    retry: false,
    // Each response of a language model uses up one of the organization's questions.
    staleTime: oncePerAnswer,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) =>
      unwrap(
        api.POST("/api/v1/organizations/{orgId}/ai/marketing-assistant", { params: { path: { orgId } }, body, signal }),
      ),
  });
}
