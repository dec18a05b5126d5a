/** Preview of the page on a phone, including unsaved changes. */
import { wholeUrl } from "../drafts/whole-url";
import { useDeletedLinks } from "../links/queries";
import { useDebounced } from "../shell/debounced";
import { useOrg } from "../shell/session";
import { Card, Stack, Text } from "../ui/layout";
import { SideAnchor } from "../ui/path/bars";
import { Phone } from "../ui/phone";
import { type ItemDraft, type PageDraft, shownItemOf, themeOf } from "./draft";
import { pagesWords as words } from "./words";

const TYPED_MS = 400;

export function Preview({ bioPageId, draft }: { bioPageId: string; draft: PageDraft }) {
  const { _id: orgId } = useOrg();
  const { preview, pages } = words;
  const deleted = useDeletedLinks(draft.items.filter(leadsToLink).map(({ linkId }) => linkId));
  const items = draft.items.filter((item) => !leadsToLink(item) || !deleted.includes(item.linkId));
  const drawn = useDebounced(JSON.stringify({ orgId, bioPageId, ...drawnOf({ ...draft, items }) }), TYPED_MS);
  return (
    <SideAnchor>
      <Card title={preview.title}>
        <Stack gap={3}>
          <Phone title={preview.title} action="/app/draft-page" name="draft" value={drawn} />
          {[preview.hint, pages.previewItems, preview.newImages].map((hint) => (
            <Text key={hint} soft small>
              {hint}
            </Text>
          ))}
        </Stack>
      </Card>
    </SideAnchor>
  );
}

const leadsToLink = ({ kind, linkId }: ItemDraft): boolean => kind === "link" && linkId !== "";

/** Leaves out incomplete input. */
const drawnOf = ({ title, bio, theme: { avatarUrl, coverUrl, ...theme }, items }: PageDraft) => ({
  ...{ title: title.trim(), bio: bio.trim() },
  theme: themeOf({ ...theme, avatarUrl: wholeUrl(avatarUrl), coverUrl: wholeUrl(coverUrl) }),
  links: items
    .filter((item) => item.isActive && item.title.trim() !== "")
    .map((item) => shownItemOf({ ...item, imageUrl: wholeUrl(item.imageUrl) })),
});
