import { useLink } from "../links/queries";
import { Failure, Skeleton } from "../ui/data";
import { Screen } from "../ui/layout";

export default function LinkScreen({ linkId }: { linkId: string }) {
  const { data: link, error, refetch } = useLink(linkId);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!link) return <Skeleton />;
  return <Screen title={link.shortUrl}>{link.defaultUrl}</Screen>;
}
