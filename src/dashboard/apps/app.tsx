import { ArrowLeft, Trash2 } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import type { Tagged } from "../api/client";
import { failureText, faultsOf, otherFaults } from "../api/failures";
import { keepDraft, readKeptDraft, useKeptDraft } from "../drafts/kept-draft";
import { ChangedMeanwhileNotice } from "../drafts/notice";
import { discardUnsaved } from "../drafts/unsaved";
import { useDraft } from "../drafts/use-draft";
import { useOrg } from "../shell/session";
import { Button, LinkButton } from "../ui/button";
import { FieldSet } from "../ui/choice";
import { Failure, Notice, Skeleton } from "../ui/data";
import { Confirm } from "../ui/dialog";
import { Columns, Row, Screen, Stack } from "../ui/layout";
import { toast } from "../ui/toasts";
import { Association } from "./association";
import { type AppDraft, appBody, appChanges, appDraft, shownFaults } from "./draft";
import { AndroidFields, AppFields, IosFields } from "./fields";
import { type Profile, useApp, useCreateApp, useDeleteApp, useSavingApp } from "./queries";
import { appsWords as words } from "./words";

/** One app, or without `app` the form for a new one. */
export function AppScreen({ app }: { app?: Profile }) {
  const { may } = useOrg();
  const [isDeleting, setDeleting] = useState(false);
  const actions =
    app && may("admin") ? (
      <Button icon={Trash2} onClick={() => setDeleting(true)}>
        {words.apps.delete}
      </Button>
    ) : undefined;
  return (
    <Screen title={app?.name ?? words.apps.add} before={<BackToApps />} actions={actions}>
      {app ? <OneApp appId={app._id} /> : <NewApp />}
      {app && isDeleting ? <Delete app={app} onClose={() => setDeleting(false)} /> : null}
    </Screen>
  );
}

export const BackToApps = () => (
  <LinkButton to="/apps" kind="quiet" small icon={ArrowLeft}>
    {words.screens.apps}
  </LinkButton>
);

function NewApp() {
  const { apps } = words;
  const [, navigate] = useLocation();
  const { _id: orgId } = useOrg();
  const name = `new app ${orgId}`;
  const [draft, setDraft] = useState(() => readKeptDraft<undefined, AppDraft>(name)?.draft ?? appDraft());
  const { mutate, error, isPending } = useCreateApp();
  const isChanged = Object.keys(appChanges(appDraft(), draft)).length > 0;
  const discard = () => {
    setDraft(appDraft());
    keepDraft(name, undefined);
  };
  useKeptDraft(name, isChanged ? { base: undefined, draft } : undefined, discard);
  const put = () =>
    mutate(appBody(draft), {
      onSuccess(now) {
        keepDraft(name, undefined);
        toast({ text: apps.added(now.name) });
      },
      goOn(now) {
        discardUnsaved();
        navigate(`/apps/${now._id}`, { replace: true });
      },
    });
  // The screen is left once the app has been created, so ignore input after submitting.
  const set = (next: Partial<AppDraft>) => (isPending ? undefined : setDraft((before) => ({ ...before, ...next })));
  const state = { draft, set, put, discard, error, isPending, isSaving: isPending, isChanged };
  return <Form act={apps.add} state={state} />;
}

function OneApp({ appId }: { appId: string }) {
  const { data, error, refetch } = useApp(appId);
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  return data ? <EditApp app={data} /> : <Skeleton />;
}

function EditApp({ app }: { app: Tagged<Profile> }) {
  const { apps } = words;
  const reportSuccess = () => toast({ text: apps.saved });
  const state = useDraft(app, {
    name: `app ${app._id}`,
    read: appDraft,
    changesOf: appChanges,
    reportSuccess,
    ...useSavingApp(app),
  });
  const notice = <ChangedMeanwhileNotice state={state} text={() => words.conflict.plain} />;
  return <Form act={apps.save} state={state} notice={notice} />;
}

interface FormProps {
  act: string;
  notice?: ReactNode;
  state: {
    draft: AppDraft;
    set(next: Partial<AppDraft>): void;
    put(): void;
    discard(): void;
    error: unknown;
    isPending: boolean;
    isSaving: boolean;
    isChanged: boolean;
  };
}

function Form({ act, notice, state }: FormProps) {
  const { draft, set, put, discard, error, isPending, isSaving, isChanged } = state;
  const { may } = useOrg();
  const faults = faultsOf(error);
  const alert = otherFaults(error, shownFaults(faults));
  const parts = { draft, faults, set };
  const send = (event: FormEvent) => {
    event.preventDefault();
    put();
  };
  return (
    <Columns>
      <form onSubmit={send}>
        <FieldSet disabled={!may("admin")}>
          <Stack>
            {alert ? <Notice tone="bad">{alert}</Notice> : null}
            {notice}
            <AppFields {...parts} />
            <IosFields {...parts} />
            <AndroidFields {...parts} />
            {may("admin") ? (
              <Row>
                <Button type="submit" kind="primary" disabled={!isChanged} busy={isSaving}>
                  {act}
                </Button>
                <Button disabled={!isChanged || isPending} onClick={discard}>
                  {words.ui.discard}
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
    remove.mutate(undefined, {
      onSuccess: () => toast({ text: deleted(app.name) }),
      onError: (error) => toast({ text: failureText(error), isFailure: true }),
      goOn() {
        discardUnsaved();
        navigate("/apps", { replace: true });
      },
      close: onClose,
    });
  return (
    <Confirm
      {...{ title: confirm.title, text: confirm.text(app.name), act, onClose }}
      isBusy={remove.isPending}
      onConfirm={onConfirm}
    />
  );
}
