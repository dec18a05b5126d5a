/** The selected links, and the actions on all of them. */
import { Archive, ArchiveRestore, Pause, Play, QrCode, Tag, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "../ui/button";
import { Confirm, Dialog } from "../ui/dialog";
import { TextField } from "../ui/field";
import { countText } from "../ui/format";
import { Row, Stack, StickyBar, Text } from "../ui/layout";
import { lazyPart, OverPart } from "../ui/part";
import { Progress } from "../ui/progress";
import { words } from "../words";
import { useBulk } from "./bulk";
import type { SelectedLink } from "./chosen";
import { useMayAnyHaveLeads } from "./leads-left";
import { SelectMatching, type SelectMatchingProps } from "./select-all";
import { tagsOf } from "./tags-text";

const QrCodesDialog = lazyPart(() => import("./qr-codes/dialog"));

type Asking = "tag" | "qr" | "delete";

interface BarProps extends Omit<SelectMatchingProps, "total"> {
  /** How many links the filters match, if more than are shown. */
  total: number | undefined;
}

export function SelectionBar({ selection, total, ...listed }: BarProps) {
  const { selection: said } = words.links;
  const { links, ids, drop, clear } = selection;
  const [asking, setAsking] = useState<Asking>();
  const { change, remove, done } = useBulk();
  const close = () => setAsking(undefined);
  const busy = change.isPending || remove.isPending;
  const apply = (
    changes: Parameters<typeof change.mutate>[0]["changes"],
    outcome?: Parameters<typeof change.mutate>[1],
  ) => change.mutate({ ids, changes }, outcome);
  const areArchived = links.every(({ isArchived }) => isArchived);
  return (
    <StickyBar>
      <Text strong isStatus>
        {said.count(ids.length, countText(ids.length))}
      </Text>
      {total === undefined ? null : <SelectMatching {...{ selection, total, ...listed }} />}
      <Button {...{ small: true, busy, icon: Tag }} onClick={() => setAsking("tag")}>
        {said.tag}
      </Button>
      <Button {...{ small: true, busy, icon: Pause }} onClick={() => apply({ isActive: false })}>
        {said.pause}
      </Button>
      <Button {...{ small: true, busy, icon: Play }} onClick={() => apply({ isActive: true })}>
        {said.resume}
      </Button>
      {/* The links leave the list that they were selected in. */}
      <Button
        {...{ small: true, busy, icon: areArchived ? ArchiveRestore : Archive }}
        onClick={() =>
          apply({ isArchived: !areArchived }, { onSuccess: (outcome) => drop(outcome.done.map(({ _id }) => _id)) })
        }
      >
        {areArchived ? words.links.unarchive : said.archive}
      </Button>
      <Button small icon={QrCode} onClick={() => setAsking("qr")}>
        {said.qr.act}
      </Button>
      <Button {...{ small: true, busy, icon: Trash2 }} onClick={() => setAsking("delete")}>
        {said.delete}
      </Button>
      <Button small kind="quiet" onClick={clear}>
        {said.clear}
      </Button>
      {done === undefined ? null : (
        <Progress label={said.qr.progress(countText(done), countText(ids.length))} value={done} max={ids.length} />
      )}
      {asking === "tag" ? (
        <AskTag isBusy={change.isPending} onClose={close} onTag={(tags) => apply({ addTags: tags }, { goOn: close })} />
      ) : null}
      {asking === "qr" ? (
        <OverPart onClose={close}>
          <QrCodesDialog links={links} onClose={close} />
        </OverPart>
      ) : null}
      {asking === "delete" ? (
        <AskDelete
          links={links}
          isBusy={remove.isPending}
          onClose={close}
          onConfirm={() => remove.mutate(ids, { onSuccess: (outcome) => drop(outcome.done), close })}
        />
      ) : null}
    </StickyBar>
  );
}

interface AskDeleteProps {
  links: readonly SelectedLink[];
  isBusy: boolean;
  onConfirm(): void;
  onClose(): void;
}

function AskDelete({ links, ...others }: AskDeleteProps) {
  const { selection, confirmDelete } = words.links;
  const leads = useMayAnyHaveLeads(links) ? [confirmDelete.leads] : [];
  const { title, text } = selection.confirm;
  return (
    <Confirm
      {...{
        title: title(links.length, countText(links.length)),
        text: [text, ...leads].join(" "),
        act: words.ui.delete,
      }}
      {...others}
    />
  );
}

function AskTag({ isBusy, onClose, onTag }: { isBusy: boolean; onClose(): void; onTag(tags: string[]): void }) {
  const [text, setText] = useState("");
  const tags = tagsOf(text);
  const send = (event: FormEvent) => {
    event.preventDefault();
    onTag(tags);
  };
  return (
    <Dialog title={words.links.selection.tag} onClose={onClose}>
      <form onSubmit={send}>
        <Stack>
          <TextField
            label={words.links.selection.tagLabel}
            hint={words.links.box.tagsHint}
            value={text}
            onChange={setText}
          />
          <Row>
            <Button type="submit" kind="primary" disabled={tags.length === 0} busy={isBusy}>
              {words.links.selection.tag}
            </Button>
          </Row>
        </Stack>
      </form>
    </Dialog>
  );
}
