import type { Import } from "@/contract/links/imports";
import type { ImportJob } from "./store";

export const presentImport = ({ file, options, ...job }: ImportJob): Import => ({
  _id: job.id,
  source: options.source,
  fileName: file.name,
  fileBytes: file.bytes,
  options: {
    mapping: options.mapping,
    domainMap: options.domainMap,
    onConflict: options.onConflict,
    dryRun: options.dryRun,
    notify: options.notify,
    ...(options.formerClicksByDay && { formerClicksByDay: true }),
  },
  task: job.task,
  status: job.status,
  progress: job.progress,
  counts: job.counts,
  error: job.error ?? undefined,
  createdAt: job.createdAt.toISOString(),
  finishedAt: job.finishedAt?.toISOString(),
});
