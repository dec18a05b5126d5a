import { useEffect, useState } from "react";
import { isMissing, useLink, useLinks } from "../links/queries";
import { useDebounced } from "../shell/debounced";
import { Button } from "../ui/button";
import { optionsOf, Select, Tick } from "../ui/choice";
import { TextField } from "../ui/field";
import { Grid, Row, Stack } from "../ui/layout";
import { readableUrl } from "../ui/readable-url";
import type { ItemDraft } from "./draft";
import { pagesWords as words } from "./words";

const ICONS = [
  ...["mail", "globe", "phone", "chat", "shop", "music", "video", "camera", "code", "heart", "star", "calendar"],
  ...["map", "book", "download", "link", "instagram", "tiktok", "youtube", "spotify", "facebook", "linkedin"],
];

/** Not every keystroke is a request, because requests are limited. */
const TYPED_MS = 200;

interface Props {
  item: ItemDraft;
  faultAt(field: string): string | undefined;
  onChange(changes: Partial<ItemDraft>): void;
}

export const ItemFields = ({ item, faultAt, onChange }: Props) => {
  const { pages } = words;
  return (
    <Stack gap={3}>
      <TextField
        {...{ label: pages.itemTitle, value: item.title, fault: faultAt("title"), maxLength: 120 }}
        onChange={(title) => onChange({ title })}
      />
      <Select
        {...{ label: pages.leadsTo, value: item.kind, options: optionsOf(pages.kinds) }}
        onChange={(kind) => onChange({ kind })}
      />
      {item.kind === "heading" ? null : <LinkFields {...{ item, faultAt, onChange }} />}
      <Tick label={pages.itemActive} checked={item.isActive} onChange={(isActive) => onChange({ isActive })} />
    </Stack>
  );
};

/** Where an item leads, and how it looks. */
const LinkFields = ({ item, faultAt, onChange }: Props) => {
  const { pages } = words;
  return (
    <>
      {item.kind === "url" ? (
        <TextField
          {...{ label: pages.itemUrl, value: item.url, fault: faultAt("url") ?? faultAt("linkId"), inputMode: "url" }}
          onChange={(url) => onChange({ url })}
        />
      ) : item.linkId ? (
        <ChosenLink linkId={item.linkId} fault={faultAt("linkId")} onClear={() => onChange({ linkId: "" })} />
      ) : (
        <LinkSearch fault={faultAt("linkId") ?? faultAt("url")} onChoose={(linkId) => onChange({ linkId })} />
      )}
      <Grid>
        <TextField
          {...{ label: pages.icon, hint: pages.iconHint, value: item.icon, fault: faultAt("icon"), maxLength: 32 }}
          suggestions={ICONS}
          onChange={(icon) => onChange({ icon })}
        />
        <Select
          {...{ label: pages.display, value: item.display, options: optionsOf(pages.displays) }}
          fault={faultAt("display")}
          onChange={(display) => onChange({ display })}
        />
      </Grid>
      <TextField
        {...{ label: pages.imageUrl, hint: pages.imageHint, value: item.imageUrl, fault: faultAt("imageUrl") }}
        inputMode="url"
        onChange={(imageUrl) => onChange({ imageUrl })}
      />
    </>
  );
};

interface ChosenProps {
  linkId: string;
  fault: string | undefined;
  onClear(): void;
}

function ChosenLink({ linkId, fault, onClear }: ChosenProps) {
  const { data: link, error } = useLink(linkId);
  const isDeleted = !link && isMissing(error);
  const shown = isDeleted
    ? { value: "", fault: words.links.missing, hint: words.pages.previewItems }
    : { value: link?.shortUrl ?? linkId, fault, hint: link?.title };
  return (
    <Stack gap={2}>
      <TextField {...{ label: words.pages.link, ...shown }} readOnly onChange={() => undefined} />
      <Row>
        <Button small onClick={onClear}>
          {words.pages.otherLink}
        </Button>
      </Row>
    </Stack>
  );
}

/** Searches for the input; entering the short URL of a search result selects that link. */
function LinkSearch({ fault, onChoose }: { fault: string | undefined; onChoose(linkId: string): void }) {
  const [text, setText] = useState("");
  const { data } = useLinks({ search: useDebounced(text.trim(), TYPED_MS) });
  const found = data?.pages.flatMap(({ links }) => links) ?? [];
  const entered = readableUrl(text.trim());
  const chosen = found.find(({ shortUrl }) => readableUrl(shortUrl) === entered)?._id;
  useEffect(() => {
    if (chosen) onChoose(chosen);
  }, [chosen, onChoose]);
  return (
    <TextField
      {...{ label: words.pages.link, hint: words.pages.linkHint, fault, value: text, onChange: setText }}
      suggestions={found.map(({ shortUrl }) => shortUrl)}
      type="search"
      autoComplete="off"
    />
  );
}
