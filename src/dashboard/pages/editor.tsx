/** One bio page: its content, its look, and a link to view it as visitors do. */
import { ArrowLeft, ExternalLink, Trash2 } from "lucide-react";
import { useState } from "react";
import { isMissing } from "../links/queries";
import { useOrg } from "../shell/session";
import { Button, CopyButton, LinkButton } from "../ui/button";
import { Failure, Skeleton } from "../ui/data";
import { Screen, Text } from "../ui/layout";
import { DeletePage } from "./delete";
import { PageForm } from "./form";
import { useBioPage } from "./queries";
import { pagesWords as words } from "./words";

export default function Editor({ bioPageId }: { bioPageId: string }) {
  const { data: page, error, refetch } = useBioPage(bioPageId);
  const [isDeleting, setDeleting] = useState(false);
  const { may } = useOrg();
  const { pages } = words;
  const before = (
    <LinkButton to="/pages" kind="quiet" small icon={ArrowLeft}>
      {words.screens.pages}
    </LinkButton>
  );
  if (!page) {
    return (
      <Screen title={isMissing(error) ? words.shell.missing : words.screens.pages} before={before}>
        {isMissing(error) ? (
          <p>{words.shell.gone}</p>
        ) : error ? (
          <Failure error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton />
        )}
      </Screen>
    );
  }
  const actions = (
    <>
      <CopyButton text={page.url} label={pages.copyUrl(page.title)} />
      <Button icon={ExternalLink} title={pages.openHint} onClick={() => open(page.url, "_blank", "noopener")}>
        {pages.open}
      </Button>
      {may("member") ? (
        <Button icon={Trash2} onClick={() => setDeleting(true)}>
          {pages.remove}
        </Button>
      ) : null}
    </>
  );
  return (
    <Screen title={page.title} before={before} actions={actions}>
      <Text soft>{page.url.replace(/^https?:\/\//, "")}</Text>
      <PageForm page={page} />
      {isDeleting ? <DeletePage page={page} onClose={() => setDeleting(false)} /> : null}
    </Screen>
  );
}
