/** The selected links, and the actions on all of them. */
import { Archive, ArchiveRestore, Pause, Play, QrCode, Tag, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "@/dashboard/ui/button";
import { Confirm, Dialog } from "@/dashboard/ui/dialog";
import { TextField } from "@/dashboard/ui/field";
import { countText } from "@/dashboard/ui/format";
import { Row, Stack, StickyBar, Text } from "@/dashboard/ui/layout";
import { lazyPart, OverPart } from "@/dashboard/ui/part";
import { Progress } from "@/dashboard/ui/progress";
import type { SelectedLink } from "../chosen";
import { useMayAnyHaveLeads } from "../leads-left";
import { tagsOf } from "../tags-text";
import { useBulk } from "./bulk";
import type { ChunkProgress } from "./in-chunks";
import { SelectMatching, type SelectMatchingProps } from "./select-all";
import { selectionWords as words } from "./words";

const QrCodesDialog = lazyPart(() => import("../qr-codes/dialog"));

type Mutate = ReturnType<typeof useBulk>["change"]["mutate"];

type Asking = "tag" | "qr" | "delete";

interface BarProps extends Omit<SelectMatchingProps, "total"> {
  /** How many links the filters match, if more than are shown. */
  total: number | undefined;
}

export default function SelectionBar({ selection, total, ...listed }: BarProps) {
  const { selection: said } = words;
  const { links, ids, drop, clear } = selection;
  const [asking, setAsking] = useState<Asking>();
  const { change, remove, progress, cancel, isCanceling } = useBulk();
  const [tagText, setTagText] = useState("");
  const close = () => {
    setAsking(undefined);
    setTagText("");
  };
  const busy = change.isPending || remove.isPending;
  const apply = (changes: Parameters<Mutate>[0]["changes"], outcome?: Parameters<Mutate>[1]) =>
    change.mutate({ ids, changes }, outcome);
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
      {progress ? <Running {...{ progress, cancel, isCanceling }} max={ids.length} /> : null}
      {/* A dialog would cover how far a long change is, and how to cancel it. */}
      {asking === "tag" && !progress ? (
        <AskTag
          {...{ text: tagText, setText: setTagText, isBusy: change.isPending, onClose: close }}
          onTag={(tags) => apply({ addTags: tags }, { goOn: ({ done }) => done.length > 0 && close() })}
        />
      ) : null}
      {asking === "qr" ? (
        <OverPart onClose={close}>
          <QrCodesDialog links={links} onClose={close} />
        </OverPart>
      ) : null}
      {asking === "delete" && !progress ? (
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

interface RunningProps {
  progress: ChunkProgress;
  max: number;
  cancel(): void;
  isCanceling: boolean;
}

const Running = ({ progress: { done, waitSeconds }, max, cancel, isCanceling }: RunningProps) => (
  <>
    <Progress label={words.selection.qr.progress(countText(done), countText(max))} value={done} max={max} />
    <Button small busy={isCanceling} onClick={cancel}>
      {words.ui.cancel}
    </Button>
    <Text soft small isStatus>
      {isCanceling
        ? words.selection.canceling
        : waitSeconds === undefined
          ? null
          : words.selection.waiting(waitSeconds)}
    </Text>
  </>
);

interface AskDeleteProps {
  links: readonly SelectedLink[];
  isBusy: boolean;
  onConfirm(): void;
  onClose(): void;
}

function AskDelete({ links, ...others }: AskDeleteProps) {
  const { selection } = words;
  const { confirmDelete } = words.links;
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

interface AskTagProps {
  text: string;
  setText(text: string): void;
  isBusy: boolean;
  onTag(tags: string[]): void;
  onClose(): void;
}

function AskTag({ text, setText, isBusy, onTag, onClose }: AskTagProps) {
  const tags = tagsOf(text);
  const send = (event: FormEvent) => {
    event.preventDefault();
    onTag(tags);
  };
  return (
    <Dialog title={words.selection.tag} onClose={onClose}>
      <form onSubmit={send}>
        <Stack>
          <TextField label={words.selection.tagLabel} hint={words.links.box.tagsHint} value={text} onChange={setText} />
          <Row>
            <Button type="submit" kind="primary" disabled={tags.length === 0} busy={isBusy}>
              {words.selection.tag}
            </Button>
          </Row>
        </Stack>
      </form>
    </Dialog>
  );
}
