import { ArrowLeft, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { failureText, faultsOf, otherFaults } from "../api/failures";
import { useOrg } from "../shell/session";
import { Button, LinkButton } from "../ui/button";
import { FieldSet } from "../ui/choice";
import { Notice } from "../ui/data";
import { Confirm } from "../ui/dialog";
import { Columns, Row, Screen, Stack } from "../ui/layout";
import { toast } from "../ui/toasts";
import { words } from "../words";
import { Association } from "./association";
import { appBody, appDraft, shownFaults } from "./draft";
import { AndroidFields, AppFields, IosFields } from "./fields";
import { type Profile, useDeleteApp, useSaveApp } from "./queries";

/** One app, or with none the form for a new one. */
export function AppScreen({ app }: { app?: Profile }) {
  const { may } = useOrg();
  const [isDeleting, setDeleting] = useState(false);
  const back = (
    <LinkButton to="/apps" kind="quiet" small icon={ArrowLeft}>
      {words.screens.apps}
    </LinkButton>
  );
  const actions =
    app && may("admin") ? (
      <Button icon={Trash2} onClick={() => setDeleting(true)}>
        {words.apps.delete}
      </Button>
    ) : undefined;
  return (
    <Screen title={app?.name ?? words.apps.add} before={back} actions={actions}>
      <Form app={app} />
      {app && isDeleting ? <Delete app={app} onClose={() => setDeleting(false)} /> : null}
    </Screen>
  );
}

function Form({ app }: { app: Profile | undefined }) {
  const { apps } = words;
  const { may } = useOrg();
  const [, navigate] = useLocation();
  const [saved, setSaved] = useState(() => appDraft(app));
  const [draft, setDraft] = useState(saved);
  const save = useSaveApp(app?._id);
  const faults = faultsOf(save.error);
  const alert = otherFaults(save.error, shownFaults(faults));
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved);
  const parts = { draft, faults, set: (next: Partial<typeof draft>) => setDraft({ ...draft, ...next }) };
  const send = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(appBody(draft), {
      onSuccess(now) {
        setSaved(appDraft(now));
        setDraft(appDraft(now));
        toast({ text: app ? apps.saved : apps.added(now.name) });
        if (!app) navigate(`/apps/${now._id}`);
      },
    });
  };
  return (
    <Columns>
      <form onSubmit={send}>
        <FieldSet disabled={!may("admin")}>
          <Stack>
            {alert ? <Notice tone="bad">{alert}</Notice> : null}
            <AppFields {...parts} />
            <IosFields {...parts} />
            <AndroidFields {...parts} />
            {may("admin") ? (
              <Row>
                <Button type="submit" kind="primary" disabled={!isChanged} busy={save.isPending}>
                  {app ? apps.save : apps.add}
                </Button>
              </Row>
            ) : null}
          </Stack>
        </FieldSet>
      </form>
      <Association draft={draft} />
    </Columns>
  );
}

function Delete({ app, onClose }: { app: Profile; onClose(): void }) {
  const { confirm, delete: act, deleted } = words.apps;
  const [, navigate] = useLocation();
  const remove = useDeleteApp(app);
  const onConfirm = () =>
    remove.mutateAsync(undefined).then(
      () => {
        navigate("/apps");
        toast({ text: deleted(app.name) });
      },
      (error: unknown) => {
        toast({ text: failureText(error), isFailure: true });
        onClose();
      },
    );
  return (
    <Confirm
      {...{ title: confirm.title, text: confirm.text(app.name), act, onClose }}
      isBusy={remove.isPending}
      onConfirm={() => void onConfirm()}
    />
  );
}
