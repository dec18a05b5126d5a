/** What the list shows if no link is left in it, and which archived ones it leaves out. */
import { Archive, Link2, SearchX } from "lucide-react";
import type { Schemas } from "../api/client";
import { useOrg } from "../shell/session";
import { Button } from "../ui/button";
import { Empty, Skeleton } from "../ui/data";
import { countText } from "../ui/format";
import { Row, Text } from "../ui/layout";
import { words } from "../words";
import type { FilterState } from "./filters";
import { useArchivedCount } from "./queries";

type Counted = Pick<Schemas["LinkPage"], "total" | "totalIsEstimate">;

export const linksCounted = ({ total, totalIsEstimate = false }: Counted): string =>
  words.links.count(total, countText(total), totalIsEstimate);

export function NoneShown({ state, onCreate }: { state: FilterState; onCreate(): void }) {
  const archived = useArchivedCount(state.filters);
  if (archived.isLoading) return <Skeleton />;
  const isAnyArchived = archived.data !== undefined && archived.data.total > 0;
  const told = isAnyArchived ? words.links.inArchive(linksCounted(archived.data)) : undefined;
  if (state.isFiltered) return <NoneFits state={state} archived={told} />;
  if (told === undefined) return <NoneYet onCreate={onCreate} />;
  return <Empty icon={Archive} title={words.links.allArchived} text={told} action={<ShowArchived state={state} />} />;
}

const NoneFits = ({ state, archived }: { state: FilterState; archived: string | undefined }) => {
  const { none } = words.links;
  return (
    <Empty
      icon={SearchX}
      title={none.title}
      text={archived ?? none.text}
      action={
        <Row wrap gap={2}>
          {archived ? <ShowArchived state={state} /> : null}
          <Button onClick={state.clear}>{none.clear}</Button>
        </Row>
      }
    />
  );
};

const NoneYet = ({ onCreate }: { onCreate(): void }) => {
  const { may } = useOrg();
  const { empty, create } = words.links;
  return (
    <Empty
      icon={Link2}
      title={may("member") ? empty.title : empty.viewer}
      text={may("member") ? empty.text : undefined}
      action={
        may("member") ? (
          <Button kind="primary" onClick={onCreate}>
            {create}
          </Button>
        ) : undefined
      }
    />
  );
};

/** Beside what a search found: how many archived links it would find. */
export function FoundInArchive({ state }: { state: FilterState }) {
  const { data } = useArchivedCount(state.filters);
  if (!data?.total) return null;
  return (
    <>
      <Text soft>{words.links.inArchive(linksCounted(data))}</Text>
      <ShowArchived state={state} />
    </>
  );
}

const ShowArchived = ({ state }: { state: FilterState }) => (
  <Button small onClick={() => state.set("archived", "yes")}>
    {words.links.showArchived}
  </Button>
);
