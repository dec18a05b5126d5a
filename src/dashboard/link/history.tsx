/** Lists who changed what, and when, and restores earlier versions. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { useState } from "react";
import { useChange } from "../api/changes";
import { api, type Schemas, unwrap } from "../api/client";
import { failureText } from "../api/failures";
import { EditConflict } from "../drafts/edit-conflict";
import { useDomains } from "../links/domains";
import type { EditedLink, Link } from "../links/queries";
import { useMemberSearch } from "../settings/member-queries";
import { useOrg } from "../shell/session";
import { Button } from "../ui/button";
import { Failure, ShowMore, Skeleton } from "../ui/data";
import { Confirm } from "../ui/dialog";
import { countText, momentText } from "../ui/format";
import { Card, Code, Stack, Text } from "../ui/layout";
import { decodedUrl } from "../ui/readable-url";
import { Table } from "../ui/table";
import { toast } from "../ui/toasts";
import { nameOfField } from "./fields";
import { restoreChanges, saveWhatCanBe } from "./restore";
import { useSavingLink } from "./saving";
import { linkWords as words } from "./words";

type Revision = Schemas["Revision"];

export default function History({ link }: { link: EditedLink }) {
  const query = useRevisions(link);
  const { data, error, refetch } = query;
  const [restoring, setRestoring] = useState<Revision>();
  const revisions = data?.pages.flatMap((page) => page.revisions) ?? [];
  const nameOf = useNames(revisions);
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  return (
    <Stack>
      {revisions.map((revision, index) => (
        <Version
          key={revision._id}
          link={link}
          revision={revision}
          who={nameOf(revision.changedBy)}
          onRestore={index === 0 ? undefined : () => setRestoring(revision)}
        />
      ))}
      <ShowMore of={query} text={words.link.history.older} />
      {restoring ? <Restore link={link} revision={restoring} onClose={() => setRestoring(undefined)} /> : null}
    </Stack>
  );
}

interface VersionProps {
  link: Link;
  revision: Revision;
  /** Undefined as long as it is not known. */
  who: string | undefined;
  /** Undefined for the current version. */
  onRestore: (() => void) | undefined;
}

function Version({ link, revision: { version, changedAt, changes }, who, onRestore }: VersionProps) {
  const { history } = words.link;
  const { may } = useOrg();
  const textOf = useTexts(link);
  return (
    <Card
      padded={false}
      title={history.version(countText(version))}
      actions={
        <>
          <Text soft small>
            {who === undefined ? momentText(changedAt) : history.by(who, momentText(changedAt))}
          </Text>
          {onRestore && may("member") ? (
            <Button small icon={Undo2} onClick={onRestore}>
              {history.restore}
            </Button>
          ) : null}
        </>
      }
    >
      <Table
        label={history.version(countText(version))}
        rows={changes.filter(({ from, to }) => isSet(from) || isSet(to))}
        keyOf={({ field }) => field}
        columns={[
          { title: history.field, cell: ({ field }) => nameOfField(field) },
          { title: history.from, cell: ({ field, from }) => <Value text={textOf(field, from)} /> },
          { title: history.to, cell: ({ field, to }) => <Value text={textOf(field, to)} /> },
        ]}
      />
    </Card>
  );
}

const Value = ({ text }: { text: string }) =>
  text === "" ? <Text soft>{words.link.history.nothing}</Text> : <Code>{text}</Code>;

/** False for what a new link has without anybody having set it. */
const isSet = (value: unknown): boolean => value !== false && plainText(value) !== "";

/** Returns a function that writes a field's value for people. */
function useTexts(link: Link): (field: string, value: unknown) => string {
  const { data: domains = [] } = useDomains();
  const { yes, no } = words.link.history;
  return (field, value) => {
    if (typeof value === "boolean") return value ? yes : no;
    const text = plainText(value);
    if (text !== "" && isMoment(field)) return momentText(text);
    if (field !== "domainId") return decodedUrl(text);
    const domain = domains.find(({ _id }) => _id === text);
    return domain?.hostname ?? (text === link.domainId ? new URL(link.shortUrl).host : text);
  };
}

const isMoment = (field: string): boolean => field === "startsAt" || field === "expiresAt";

function plainText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join(", ");
  return JSON.stringify(value, null, 1);
}

interface RestoreProps {
  link: EditedLink;
  revision: Revision;
  onClose(): void;
}

/** Restores only over the version shown: a change of someone else's would otherwise stay, or be lost unseen. */
function Restore({ link, revision, onClose }: RestoreProps) {
  const { confirm, restore, restored, restoredBut, meanwhile } = words.link.history;
  const { save, refresh } = useSavingLink(link);
  const restoring = useChange({
    mutationFn: () => saveWhatCanBe(restoreChanges(link, revision.snapshot), (changes) => save(changes, link)),
    onSuccess: (lost) => {
      const version = countText(revision.version);
      const names = lost.map(nameOfField).join(", ");
      toast(lost.length === 0 ? { text: restored(version) } : { text: restoredBut(version, names), isFailure: true });
      return refresh();
    },
    onError: (error) => {
      toast({ text: error instanceof EditConflict ? meanwhile : failureText(error), isFailure: true });
      return refresh();
    },
    onSettled: onClose,
  });
  const onConfirm = () => restoring.mutate();
  return <Confirm {...confirm} act={restore} isBusy={restoring.isPending} onConfirm={onConfirm} onClose={onClose} />;
}

function useRevisions({ _id: linkId, orgId, updatedAt }: Link) {
  return useInfiniteQuery({
    queryKey: ["links", orgId, "history", linkId, updatedAt],
    initialPageParam: 1,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam: page, signal }) =>
      unwrap(
        api.GET("/api/v1/organizations/{orgId}/links/{linkId}/revisions", {
          params: { path: { orgId, linkId }, query: { page } },
          signal,
        }),
      ),
    getNextPageParam: ({ page, totalPages }) => (page < totalPages ? page + 1 : undefined),
  });
}

/** Returns the name of whoever made a change, undefined as long as it is not known. */
function useNames(revisions: readonly Revision[]): (changedBy: string | null) => string | undefined {
  const { history } = words.link;
  const memberOf = useMemberSearch(
    "userId",
    revisions.flatMap(({ changedBy }) => changedBy ?? []),
  );
  return (changedBy) => {
    if (changedBy === null) return history.service;
    const member = memberOf(changedBy);
    return member === null ? history.someone : (member?.name ?? member?.email);
  };
}
