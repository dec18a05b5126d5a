import { ShieldCheck } from "lucide-react";
import { LinkButton } from "../ui/button";
import { Empty } from "../ui/data";
import type { Status } from "./queries";
import { reviewWords as words } from "./words";

/** An empty list of pending clicks is good news; an empty list of judged ones is not. */
export const EmptyReviewList = ({ status, path }: { status: Status; path: string }) => {
  const { empty } = words.review;
  return status === "pending" || status === "all" ? (
    <Empty icon={ShieldCheck} title={empty.title} text={empty.text} />
  ) : (
    <Empty
      icon={ShieldCheck}
      title={empty.none}
      text={empty.noneText}
      action={<LinkButton to={path}>{empty.toPending}</LinkButton>}
    />
  );
};
