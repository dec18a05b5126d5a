import type { FormEvent } from "react";
import { useLocation } from "wouter";
import { faultsOf, otherFaults } from "../api/failures";
import { useKeptInput } from "../drafts/kept-input";
import { useDomains } from "../links/domains";
import { useOrg } from "../shell/session";
import { Button } from "../ui/button";
import { Select } from "../ui/choice";
import { Notice } from "../ui/data";
import { Dialog } from "../ui/dialog";
import { TextField } from "../ui/field";
import { Row, Stack } from "../ui/layout";
import { toast } from "../ui/toasts";
import { useCreatePage } from "./queries";
import { pagesWords as words } from "./words";

const BLANK = { title: "", slug: "", domainId: "" };

export function CreatePage({ onClose }: { onClose(): void }) {
  const { pages } = words;
  const [, navigate] = useLocation();
  const { values, set, clear } = useKeptInput(`new page ${useOrg()._id}`, BLANK);
  const { data: domains = [] } = useDomains();
  const create = useCreatePage();
  const faults = faultsOf(create.error);
  const alert = otherFaults(create.error, Object.keys(BLANK));
  const field = (name: keyof typeof BLANK) => ({
    ...{ value: values[name], fault: faults[name] },
    onChange: (value: string) => set({ [name]: value }),
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    const { title, slug, domainId } = values;
    create.mutate(
      { title: title.trim(), ...(slug.trim() && { slug: slug.trim() }), ...(domainId && { domainId }) },
      {
        onSuccess(page) {
          clear();
          toast({ text: pages.created(page.title) });
        },
        goOn: ({ _id }) => navigate(`/pages/${_id}`, { replace: true }),
      },
    );
  };
  const choices = domains
    .filter(({ isVerified }) => isVerified)
    .map(({ _id, hostname }): [string, string] => [_id, hostname]);
  const giveUp = () => {
    clear();
    onClose();
  };
  return (
    <Dialog title={pages.create} onClose={giveUp} isBusy={create.isPending}>
      <form onSubmit={send}>
        <Stack>
          {alert ? <Notice tone="bad">{alert}</Notice> : null}
          <TextField label={pages.title} {...field("title")} maxLength={120} required />
          <TextField
            {...{ label: pages.slug, hint: pages.slugHint, ...field("slug") }}
            autoCapitalize="none"
            spellCheck={false}
          />
          {choices.length > 0 ? (
            <Select
              {...{ label: pages.domain, ...field("domainId") }}
              options={[["", pages.domainOfChoice], ...choices]}
            />
          ) : null}
          <Row>
            <Button type="submit" kind="primary" busy={create.isPending}>
              {pages.create}
            </Button>
          </Row>
        </Stack>
      </form>
    </Dialog>
  );
}
