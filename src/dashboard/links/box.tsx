/**
 * The quickest way to a short link: paste a URL, press Enter, and the short link is copied. More options can be
 * unfolded.
 */
import { ChevronDown, ChevronUp, Link2 } from "lucide-react";
import type { FormEvent, RefObject } from "react";
import { faultsOf, otherFaults } from "../api/failures";
import { useKeptInput } from "../drafts/kept-input";
import { rebaseDraft } from "../drafts/rebase";
import { useOrg } from "../shell/session";
import { Button } from "../ui/button";
import { Select } from "../ui/choice";
import { copyWhenKnown } from "../ui/clipboard";
import { Notice } from "../ui/data";
import { TextField } from "../ui/field";
import { Card, Grid, Grow, Row, Stack, Text } from "../ui/layout";
import { decodedUrl } from "../ui/readable-url";
import { toast } from "../ui/toasts";
import { words } from "../words";
import { useDomains } from "./domains";
import { useCreateLink } from "./queries";
import { tagsOf } from "./tags-text";

const BLANK = { defaultUrl: "", slug: "", title: "", tags: "", domainId: "" };

const SCHEME = /^[a-z][a-z\d+.-]*:/i;
/** A host with a port, which looks like a scheme. */
const HOST_AND_PORT = /^(?:[^\s/?#:]+\.[^\s/?#:]+|localhost):\d+(?:[/?#]|$)/i;

/** Adds `https://` to input without a scheme. */
function withScheme(typed: string): string {
  const text = typed.trim();
  return SCHEME.test(text) && !HOST_AND_PORT.test(text) ? text : `https://${text}`;
}

interface BoxProps {
  isOpen: boolean;
  onToggle(): void;
  input: RefObject<HTMLInputElement | null>;
}

export function Box({ isOpen, onToggle, input }: BoxProps) {
  const { box } = words.links;
  const { values, edit } = useKeptInput(`new link ${useOrg()._id}`, BLANK);
  const create = useCreateLink();
  const faults = faultsOf(create.error);
  const set = (name: keyof typeof BLANK) => (value: string) => edit((before) => ({ ...before, [name]: value }));
  const alert = otherFaults(create.error, isOpen ? Object.keys(BLANK) : ["defaultUrl"]);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    const { slug, title, domainId } = values;
    const tags = tagsOf(values.tags);
    const made = create.mutateAsync({
      defaultUrl: withScheme(values.defaultUrl),
      ...(slug && { slug }),
      ...(title && { title }),
      ...(domainId && { domainId }),
      ...(tags.length > 0 && { tags }),
    });
    const copied = copyWhenKnown(made.then(({ shortUrl }) => shortUrl));
    const link = await made.catch(() => undefined);
    if (!link) return;
    // Input made since then belongs to the next link.
    edit((typed) => rebaseDraft(typed, values, BLANK));
    const told = (await copied) ? box.copied : box.created;
    toast({ text: told(decodedUrl(link.shortUrl)) });
  };

  return (
    <Card>
      <form onSubmit={(event) => void send(event)}>
        <Stack gap={3}>
          {alert ? <Notice tone="bad">{alert}</Notice> : null}
          <Row top wrap>
            <Grow>
              <TextField
                {...{ label: box.label, isLabelHidden: true, large: true, icon: Link2, ref: input }}
                placeholder={box.placeholder}
                value={values.defaultUrl}
                onChange={set("defaultUrl")}
                fault={faults.defaultUrl}
                inputMode="url"
                autoCapitalize="none"
                autoComplete="off"
                required
              />
            </Grow>
            <Button type="submit" kind="primary" busy={create.isPending} large>
              {box.shorten}
            </Button>
            <Button icon={isOpen ? ChevronUp : ChevronDown} aria-expanded={isOpen} onClick={onToggle} large>
              {box.options}
            </Button>
          </Row>
          {isOpen ? <Options values={values} set={set} faults={faults} /> : <Chosen values={values} />}
        </Stack>
      </form>
    </Card>
  );
}

/** What is typed into the options counts while they are folded, too. */
function Chosen({ values: { domainId, slug, title, tags } }: { values: typeof BLANK }) {
  const { box } = words.links;
  const hostname = useDomains().data?.find(({ _id }) => _id === domainId)?.hostname;
  const chosen = [
    [box.domain, hostname],
    [box.slug, slug],
    [box.title, title],
    [box.tags, tags],
  ].filter(([, value]) => value);
  if (chosen.length === 0) return null;
  return (
    <Row wrap gap={3}>
      {chosen.map(([name, value]) => (
        <Text key={name} soft>
          {name}: <bdi>{value}</bdi>
        </Text>
      ))}
    </Row>
  );
}

interface OptionsProps {
  values: typeof BLANK;
  set(name: keyof typeof BLANK): (value: string) => void;
  faults: Record<string, string>;
}

function Options({ values, set, faults }: OptionsProps) {
  const { box } = words.links;
  const domains = useDomains().data?.filter(({ isVerified }) => isVerified) ?? [];
  return (
    <Grid>
      {domains.length > 0 ? (
        <Select
          label={box.domain}
          value={values.domainId}
          onChange={set("domainId")}
          fault={faults.domainId}
          options={[["", box.standard], ...domains.map(({ _id, hostname }) => [_id, hostname] as const)]}
        />
      ) : null}
      <TextField
        {...{ label: box.slug, hint: box.slugHint, value: values.slug, onChange: set("slug"), fault: faults.slug }}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
      />
      <TextField label={box.title} value={values.title} onChange={set("title")} fault={faults.title} />
      <TextField label={box.tags} hint={box.tagsHint} value={values.tags} onChange={set("tags")} fault={faults.tags} />
    </Grid>
  );
}
