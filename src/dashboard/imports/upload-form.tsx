import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import type { Schemas } from "../api/client";
import { faultsOf, otherFaults } from "../api/failures";
import { useDomains } from "../links/queries";
import { Button } from "../ui/button";
import { Select, Tick } from "../ui/choice";
import { Notice } from "../ui/data";
import { FileField } from "../ui/field";
import { Card, Grid, Row, Stack, Text } from "../ui/layout";
import { toast } from "../ui/toasts";
import { words } from "../words";
import { useUpload } from "./queries";

type Source = NonNullable<Schemas["ImportOptionsInput"]["source"]>;
type Conflict = NonNullable<Schemas["ImportOptionsInput"]["onConflict"]>;

const namesOf = <Name extends string>(texts: Record<Name, string>) => Object.entries(texts) as [Name, string][];

export function UploadForm() {
  const { imports } = words;
  const [, navigate] = useLocation();
  const [file, setFile] = useState<File>();
  const [source, setSource] = useState<Source>("csv");
  const [domainId, setDomainId] = useState("");
  const [onConflict, setOnConflict] = useState<Conflict>("skip");
  const [dryRun, setDryRun] = useState(true);
  const upload = useUpload();
  const domains = useDomains().data?.filter(({ isVerified }) => isVerified) ?? [];
  const faults = faultsOf(upload.error);
  const alert = otherFaults(upload.error, ["file", "options.source", "options.domainMap"]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!file) return;
    const options = { source, onConflict, dryRun, ...(domainId && { domainMap: { "*": domainId } }) };
    upload.mutate(
      { file, options },
      {
        onSuccess(job) {
          toast({ text: imports.started(file.name) });
          navigate(`/settings/imports/${job._id}`);
        },
      },
    );
  };
  return (
    <Card title={imports.title}>
      <form onSubmit={send}>
        <Stack>
          <Text soft>{imports.text}</Text>
          {alert ? <Notice tone="bad">{alert}</Notice> : null}
          <Grid>
            <Select
              {...{ label: imports.source, value: source, onChange: setSource, options: namesOf(imports.sources) }}
              fault={faults["options.source"]}
            />
            <FileField label={imports.file} hint={imports.fileHint} onChange={setFile} fault={faults.file} required />
            {domains.length > 0 ? (
              <Select
                {...{ label: imports.domain, value: domainId, onChange: setDomainId }}
                fault={faults["options.domainMap"]}
                options={[["", imports.noDomain], ...domains.map(({ _id, hostname }) => [_id, hostname] as const)]}
              />
            ) : null}
            <Select
              {...{ label: imports.onConflict, value: onConflict, onChange: setOnConflict }}
              options={namesOf(imports.conflicts)}
            />
          </Grid>
          <Tick label={imports.dryRun} checked={dryRun} onChange={setDryRun} />
          <Row>
            <Button type="submit" kind="primary" disabled={!file} busy={upload.isPending}>
              {imports.start}
            </Button>
          </Row>
        </Stack>
      </form>
    </Card>
  );
}
