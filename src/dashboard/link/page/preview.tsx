/** Preview of one part of the link's pages, including unsaved changes. */
import { useSearchParams } from "wouter";
import { wholeUrl } from "@/dashboard/drafts/whole-url";
import { useDebounced } from "@/dashboard/shell/debounced";
import { useOrg } from "@/dashboard/shell/session";
import { Segments } from "@/dashboard/ui/charts/segments";
import { Card, Stack, Text } from "@/dashboard/ui/layout";
import { SideColumn } from "@/dashboard/ui/path/bars";
import { Phone } from "@/dashboard/ui/phone";
import { type LinkPageDraft, linkPageBodyOf } from "./draft";
import { linkPageWords as words } from "./words";

const TYPED_MS = 400;
const PARTS = ["lead", "cta", "social"] as const;
export type ShownPart = (typeof PARTS)[number];

/** Keeps the selected part in the URL. Without one, shows the first part that visitors see. */
export function useShownPart({ lead, cta }: LinkPageDraft) {
  const [params, setParams] = useSearchParams();
  const first = !lead.enabled && cta.enabled ? "cta" : "lead";
  const part = PARTS.find((each) => each === params.get("preview")) ?? first;
  const show = (next: ShownPart) => {
    if (next === part) return;
    const shown = new URLSearchParams(params);
    shown.set("preview", next);
    setParams(shown, { replace: true });
  };
  return [part, show] as const;
}

interface PreviewProps {
  linkId: string;
  draft: LinkPageDraft;
  part: ShownPart;
  onShow(part: ShownPart): void;
}

export function LinkPagePreview({ linkId, draft, part, onShow }: PreviewProps) {
  const { _id: orgId } = useOrg();
  const { preview, linkPage: said } = words;
  const { leadCapture, ctaOverlay, social } = JSON.parse(useDebounced(JSON.stringify(drawnOf(draft)), TYPED_MS));
  const parts = { lead: { leadCapture }, cta: { ctaOverlay, social }, social: { social } };
  const hints = { lead: [preview.hint], cta: [preview.hint, preview.newImages], social: [preview.newImages] };
  const isNone = part === "social" && social === null;
  return (
    <SideColumn label={preview.title}>
      <Card title={preview.title}>
        <Stack gap={3}>
          <Segments
            {...{ label: preview.title, value: part, onChange: onShow }}
            options={PARTS.map((each) => [each, said[each].card])}
          />
          {isNone ? null : (
            <Phone
              {...{ title: said[part].card, action: "/app/draft-link-page", name: "draft" }}
              value={JSON.stringify({ orgId, linkId, part, ...parts[part] })}
            />
          )}
          {(isNone ? [said.social.none] : hints[part]).map((hint) => (
            <Text key={hint} soft small>
              {hint}
            </Text>
          ))}
        </Stack>
      </Card>
    </SideColumn>
  );
}

/** Leaves out incomplete input: fields without a name, and URLs that are not complete. */
const drawnOf = ({ lead, cta, social, ...draft }: LinkPageDraft) =>
  linkPageBodyOf({
    ...draft,
    lead: { ...lead, fields: lead.fields.filter(({ name }) => name.trim() !== "") },
    cta: { ...cta, buttonUrl: wholeUrl(cta.buttonUrl) },
    social: { ...social, imageUrl: wholeUrl(social.imageUrl) },
  });
