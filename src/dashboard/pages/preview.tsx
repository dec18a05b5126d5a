/** The page as a phone would show it, with what is not saved yet. */
import { useEffect, useState } from "react";
import { useOrg } from "../shell/session";
import { Card, Stack, Text } from "../ui/layout";
import { Phone } from "../ui/phone";
import { words } from "../words";
import { type PageDraft, themeOf } from "./draft";

const TYPED_MS = 400;

export function Preview({ bioPageId, draft }: { bioPageId: string; draft: PageDraft }) {
  const { _id: orgId } = useOrg();
  const { pages } = words;
  const now = JSON.stringify({ orgId, bioPageId, ...drawnOf(draft) });
  const [drawn, setDrawn] = useState(now);
  useEffect(() => {
    const timer = setTimeout(() => setDrawn(now), TYPED_MS);
    return () => clearTimeout(timer);
  }, [now]);
  return (
    <Card title={pages.preview}>
      <Stack gap={3}>
        <Phone title={pages.preview} action="/app/draft-page" name="draft" value={drawn} />
        <Text soft small>
          {pages.previewHint}
        </Text>
      </Stack>
    </Card>
  );
}

const drawnOf = ({ title, bio, theme, items }: PageDraft) => ({
  ...{ title: title.trim(), bio: bio.trim(), theme: themeOf(theme) },
  links: items
    .filter((item) => item.isActive && item.title.trim() !== "")
    .map(({ title, icon, display }) => ({ title: title.trim(), ...(icon.trim() && { icon: icon.trim() }), display })),
});
