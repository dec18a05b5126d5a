import { useLocation } from "wouter";
import { IMPORT_BYTES_MAX } from "@/core/imports/limits";
import { faultsOf } from "../api/failures";
import { useKeptInput } from "../drafts/kept-input";
import { useOrg } from "../shell/session";
import { optionsOf, Select } from "../ui/choice";
import { FileField } from "../ui/field";
import { megabytesText } from "../ui/format";
import { toast } from "../ui/toasts";
import { FormFrame, type Source } from "./form-frame";
import { useUpload } from "./queries";
import { importsWords as words } from "./words";

/** A file of another type can still be chosen: services name theirs as they like. */
const FILE_TYPES = ".csv,.tsv,.txt,.json,.jsonl,.ndjson,.sql";

const BLANK: { file: File | undefined; source: Source } = { file: undefined, source: "csv" };

export function UploadForm() {
  const { imports } = words;
  const [, navigate] = useLocation();
  const { values, set, clear } = useKeptInput(`import of a file ${useOrg()._id}`, BLANK);
  const { file, source } = values;
  const upload = useUpload();
  const faults = faultsOf(upload.error);
  const limit = megabytesText(IMPORT_BYTES_MAX);
  // The service could refuse it only after a long upload.
  const tooLarge =
    file && file.size > IMPORT_BYTES_MAX ? imports.fileTooLarge(megabytesText(file.size), limit) : undefined;
  return (
    <FormFrame
      text={imports.text}
      error={upload.error}
      fields={["file", "options.source"]}
      isBusy={upload.isPending}
      isReady={file !== undefined && tooLarge === undefined}
      onSend={(options, onStarted) => {
        if (!file || tooLarge) return;
        upload.mutate(
          { file, options: { ...options, source } },
          {
            onSuccess() {
              onStarted();
              // The file that was tried may be imported next.
              if (!options.dryRun) clear();
              toast({ text: imports.started(file.name) });
            },
            goOn: (job) => navigate(`/settings/imports/${job._id}`),
          },
        );
      }}
    >
      <Select
        {...{ label: imports.source, value: source, options: optionsOf(imports.sources) }}
        onChange={(next) => set({ source: next })}
        fault={faults["options.source"]}
      />
      <FileField
        {...{ label: imports.file, hint: imports.fileHint(limit), fault: tooLarge ?? faults.file, file }}
        onChange={(next) => set({ file: next })}
        accept={FILE_TYPES}
        required
      />
    </FormFrame>
  );
}
