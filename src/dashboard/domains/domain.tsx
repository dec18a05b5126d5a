import { ArrowLeft, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { discardUnsaved } from "../drafts/unsaved";
import { useOrg } from "../shell/session";
import { Button, LinkButton } from "../ui/button";
import { Confirm } from "../ui/dialog";
import { Columns, Screen, Stack } from "../ui/layout";
import { toast } from "../ui/toasts";
import { Doctor } from "./doctor";
import { States } from "./list";
import { type Domain, toastFailure, useRemoveDomain } from "./queries";
import { Hosting, Redirects } from "./uses";
import { domainsWords as words } from "./words";

export function DomainScreen({ domain }: { domain: Domain | undefined }) {
  const { may } = useOrg();
  const [isRemoving, setRemoving] = useState(false);
  const back = (
    <LinkButton to="/domains" kind="quiet" small icon={ArrowLeft}>
      {words.screens.domains}
    </LinkButton>
  );
  if (!domain)
    return (
      <Screen title={words.shell.missing} before={back}>
        <p>{words.shell.gone}</p>
      </Screen>
    );
  const actions = may("admin") ? (
    <Button icon={Trash2} onClick={() => setRemoving(true)}>
      {words.domains.remove}
    </Button>
  ) : undefined;
  return (
    <Screen title={domain.hostname} before={back} actions={actions}>
      <States domain={domain} />
      <Columns>
        <Doctor domain={domain} />
        <Stack>
          <Hosting domain={domain} />
          <Redirects key={domain._id} domain={domain} />
        </Stack>
      </Columns>
      {isRemoving ? <Remove domain={domain} onClose={() => setRemoving(false)} /> : null}
    </Screen>
  );
}

function Remove({ domain, onClose }: { domain: Domain; onClose(): void }) {
  const { confirm, remove: act, removed } = words.domains;
  const [, navigate] = useLocation();
  const remove = useRemoveDomain();
  const onConfirm = () =>
    remove.mutate(domain, {
      onSuccess: () => toast({ text: removed(domain.hostname) }),
      onError: toastFailure,
      goOn() {
        discardUnsaved();
        navigate("/domains", { replace: true });
      },
      close: onClose,
    });
  return (
    <Confirm
      {...{ title: confirm.title, text: confirm.text(domain.hostname), act, onClose }}
      onConfirm={onConfirm}
      isBusy={remove.isPending}
      name={domain.hostname}
    />
  );
}
