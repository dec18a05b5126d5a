/** The list of a tab, with a search and the button that adds to it; an invitation to add the first while it is empty. */
import { type LucideIcon, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../ui/button";
import { Empty } from "../ui/data";
import { Card, Row } from "../ui/layout";

interface TabListProps {
  icon: LucideIcon;
  said: { create: string; empty: { title: string; text: string } };
  isEmpty: boolean;
  onCreate(): void;
  search: ReactNode;
  children: ReactNode;
}

export function TabList({ icon, said, isEmpty, onCreate, search, children }: TabListProps) {
  const button = (
    <Button kind="primary" icon={Plus} onClick={onCreate}>
      {said.create}
    </Button>
  );
  if (isEmpty) {
    return (
      <Card>
        <Empty icon={icon} title={said.empty.title} text={said.empty.text} action={button} />
      </Card>
    );
  }
  return (
    <>
      <Row>{button}</Row>
      {search}
      {children}
    </>
  );
}
