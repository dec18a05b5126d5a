/** The members of the organization, open invitations, and everyone's role. */
import { useState } from "react";
import { useListSearch } from "../shell/list-search";
import { useOrg } from "../shell/session";
import { Button } from "../ui/button";
import { Chip, Failure, ShowMore, Skeleton } from "../ui/data";
import { dayText } from "../ui/format";
import { Card, Columns, Row, Stack, Text } from "../ui/layout";
import { Table } from "../ui/table";
import { Invite, InviteAgain } from "./invite";
import { type Member, useIsMine, useMembers } from "./member-queries";
import { MemberRole } from "./member-role";
import { RemoveMember } from "./remove-member";
import { settingsWords as words } from "./words";

export default function Members() {
  const { may } = useOrg();
  const query = useMembers();
  const { data, error, refetch } = query;
  const [leaving, setLeaving] = useState<Member>();
  const members = data?.pages.flatMap((page) => page.members) ?? [];
  const [found, search] = useListSearch(query, members, ({ name, email }) => [name, email]);
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  // Later pages may contain more owners; in that case, the API decides.
  const isLastOwner = (member: Member) => isOwner(member) && !query.hasNextPage && members.filter(isOwner).length === 1;
  const list = (
    <Stack>
      {search}
      <MemberTable members={found} isLastOwner={isLastOwner} onRemove={setLeaving} />
      <ShowMore of={query} />
      {leaving ? <RemoveMember member={leaving} onClose={() => setLeaving(undefined)} /> : null}
    </Stack>
  );
  if (!may("admin")) return list;
  return (
    <Columns>
      {list}
      <Invite />
    </Columns>
  );
}

const isOwner = ({ role, status }: Member): boolean => role === "owner" && status === "active";

interface TableProps {
  members: readonly Member[];
  isLastOwner(member: Member): boolean;
  onRemove(member: Member): void;
}

function MemberTable({ members, isLastOwner, onRemove }: TableProps) {
  const { members: said } = words.settings;
  return (
    <Card padded={false}>
      <Table
        label={words.settings.tabs.members}
        rows={members}
        keyOf={({ _id }) => _id}
        columns={[
          { title: said.member, cell: (member) => <Name member={member} /> },
          { title: said.role, cell: (member) => <MemberRole member={member} isLastOwner={isLastOwner(member)} /> },
          { title: said.since, isTime: true, cell: (member) => <Since member={member} /> },
          {
            title: said.actions,
            isTitleHidden: true,
            isNumber: true,
            cell: (member) => <Remove member={member} isLastOwner={isLastOwner(member)} onRemove={onRemove} />,
          },
        ]}
      />
    </Card>
  );
}

function Name({ member }: { member: Member }) {
  const { name, email } = member;
  const isMe = useIsMine(member);
  return (
    <>
      <Row wrap>
        <Text strong foreign>
          {name ?? email}
        </Text>
        {isMe ? <Chip>{words.settings.members.you}</Chip> : null}
      </Row>
      {name ? (
        <Text soft small foreign>
          {email}
        </Text>
      ) : null}
    </>
  );
}

function Since({ member: { status, createdAt, inviteExpiresAt } }: { member: Member }) {
  const { members: said } = words.settings;
  if (status === "active" || !inviteExpiresAt) return dayText(createdAt);
  const isOver = Date.parse(inviteExpiresAt) < Date.now();
  return (
    <>
      <Chip tone="warn">{isOver ? said.invitationOver : said.invited}</Chip>
      <Text soft small>
        {isOver ? said.ended(dayText(inviteExpiresAt)) : said.until(dayText(inviteExpiresAt))}
      </Text>
    </>
  );
}

function Remove({
  member,
  isLastOwner,
  onRemove,
}: { member: Member } & Omit<TableProps, "members" | "isLastOwner"> & {
    isLastOwner: boolean;
  }) {
  const { members: said } = words.settings;
  const { may } = useOrg();
  const isMe = useIsMine(member);
  if (isLastOwner || !(isMe || may(member.role === "owner" ? "owner" : "admin"))) return null;
  const isInvited = member.status === "invited";
  return (
    <>
      {isInvited ? <InviteAgain member={member} /> : null}{" "}
      <Button small onClick={() => onRemove(member)}>
        {isMe ? said.leave : isInvited ? said.withdraw : words.ui.remove}
      </Button>
    </>
  );
}
