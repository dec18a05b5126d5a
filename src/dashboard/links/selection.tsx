/** The selected links, and the actions on all of them. */
import { Archive, ArchiveRestore, Pause, Play, QrCode, Tag, Trash2 } from "lucide-react";
import { type FormEvent, useCallback, useMemo, useState } from "react";
import { Button } from "../ui/button";
import { Confirm, Dialog } from "../ui/dialog";
import { TextField } from "../ui/field";
import { Row, Stack, StickyBar, Text } from "../ui/layout";
import { lazyPart, OverPart } from "../ui/part";
import { words } from "../words";
import { useBulk } from "./bulk";
import { useMayAnyHaveLeads } from "./leads-left";
import type { Link } from "./queries";
import { tagsOf } from "./tags-text";

const QrCodesDialog = lazyPart(() => import("./qr-codes/dialog"));

export interface Selection {
  links: readonly Link[];
  ids: readonly string[];
  has(link: Link): boolean;
  toggle(link: Link): void;
  /** Does nothing if the link is not selected. */
  remove(link: Link): void;
  clear(): void;
}

export function useSelection(): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Link>>(new Map());
  const toggle = useCallback((link: Link) => setChosen((before) => toggled(before, link)), []);
  const remove = useCallback(
    (link: Link) => setChosen((before) => (before.has(link._id) ? toggled(before, link) : before)),
    [],
  );
  const clear = useCallback(() => setChosen(new Map()), []);
  return useMemo(() => {
    const links = [...chosen.values()];
    return { links, ids: [...chosen.keys()], has: ({ _id }) => chosen.has(_id), toggle, remove, clear };
  }, [chosen, toggle, remove, clear]);
}

function toggled(before: ReadonlyMap<string, Link>, link: Link): ReadonlyMap<string, Link> {
  const after = new Map(before);
  if (!after.delete(link._id)) after.set(link._id, link);
  return after;
}

type Asking = "tag" | "qr" | "delete";

export function SelectionBar({ selection }: { selection: Selection }) {
  const { selection: said } = words.links;
  const { links, ids, clear } = selection;
  const [asking, setAsking] = useState<Asking>();
  const { change, remove } = useBulk();
  if (ids.length === 0) return null;
  const close = () => setAsking(undefined);
  const apply = (
    changes: Parameters<typeof change.mutate>[0]["changes"],
    outcome?: Parameters<typeof change.mutate>[1],
  ) => change.mutate({ ids, changes }, outcome);
  const areArchived = links.every(({ isArchived }) => isArchived);
  return (
    <StickyBar>
      <Text strong>{said.count(ids.length)}</Text>
      <Button small icon={Tag} onClick={() => setAsking("tag")}>
        {said.tag}
      </Button>
      <Button small icon={Pause} onClick={() => apply({ isActive: false })}>
        {said.pause}
      </Button>
      <Button small icon={Play} onClick={() => apply({ isActive: true })}>
        {said.resume}
      </Button>
      {/* The links leave the list that they were selected in. */}
      <Button
        {...{ small: true, icon: areArchived ? ArchiveRestore : Archive }}
        onClick={() => apply({ isArchived: !areArchived }, { onSuccess: clear })}
      >
        {areArchived ? words.links.unarchive : said.archive}
      </Button>
      <Button small icon={QrCode} onClick={() => setAsking("qr")}>
        {said.qr.act}
      </Button>
      <Button small icon={Trash2} onClick={() => setAsking("delete")}>
        {said.delete}
      </Button>
      <Button small kind="quiet" onClick={clear}>
        {said.clear}
      </Button>
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
          onConfirm={() => remove.mutate(ids, { onSuccess: clear, close })}
        />
      ) : null}
    </StickyBar>
  );
}

interface AskDeleteProps {
  links: readonly Link[];
  isBusy: boolean;
  onConfirm(): void;
  onClose(): void;
}

function AskDelete({ links, ...others }: AskDeleteProps) {
  const { selection, confirmDelete } = words.links;
  const leads = useMayAnyHaveLeads(links) ? [confirmDelete.leads] : [];
  const { title, text } = selection.confirm;
  return (
    <Confirm {...{ title: title(links.length), text: [text, ...leads].join(" "), act: words.ui.delete }} {...others} />
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
