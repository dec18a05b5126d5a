/** Preview of the page on a phone, including unsaved changes. */
import { wholeUrl } from "../drafts/whole-url";
import { useDebounced } from "../shell/debounced";
import { useOrg } from "../shell/session";
import { Card, Stack, Text } from "../ui/layout";
import { SideAnchor } from "../ui/path/bars";
import { Phone } from "../ui/phone";
import { words } from "../words";
import { type PageDraft, themeOf } from "./draft";

const TYPED_MS = 400;

export function Preview({ bioPageId, draft }: { bioPageId: string; draft: PageDraft }) {
  const { _id: orgId } = useOrg();
  const { preview, previewHint, previewItems, newImages } = words.pages;
  const drawn = useDebounced(JSON.stringify({ orgId, bioPageId, ...drawnOf(draft) }), TYPED_MS);
  return (
    <SideAnchor>
      <Card title={preview}>
        <Stack gap={3}>
          <Phone title={preview} action="/app/draft-page" name="draft" value={drawn} />
          {[previewHint, previewItems, newImages].map((hint) => (
            <Text key={hint} soft small>
              {hint}
            </Text>
          ))}
        </Stack>
      </Card>
    </SideAnchor>
  );
}

/** Leaves out incomplete input. */
const drawnOf = ({ title, bio, theme: { avatarUrl, coverUrl, ...theme }, items }: PageDraft) => ({
  ...{ title: title.trim(), bio: bio.trim() },
  theme: themeOf({ ...theme, avatarUrl: wholeUrl(avatarUrl), coverUrl: wholeUrl(coverUrl) }),
  links: items
    .filter((item) => item.isActive && item.title.trim() !== "")
    .map(({ title, icon, display }) => ({ title: title.trim(), ...(icon.trim() && { icon: icon.trim() }), display })),
});
