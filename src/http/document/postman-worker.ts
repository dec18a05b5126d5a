/** One document in, one collection out. What a user has to fill in once are the collection's variables. */
import { convertV2 } from "openapi-to-postmanv2";
import type { Conversion } from "./postman";

interface Item {
  item?: Item[];
  request?: { url?: { variable?: { key?: string; value?: unknown }[] } };
}

interface Collection extends Item {
  variable?: { key: string; value: string; description?: string }[];
}

const OPTIONS = { folderStrategy: "Tags", parametersResolution: "Example", enableOptionalParameters: false } as const;

const VARIABLES = [
  { key: "bearerToken", value: "", description: "The `token` that register or login answered" },
  { key: "apiKey", value: "ApiKey wm_live_…", description: "The scheme, a space, and the key" },
  { key: "orgId", value: "", description: "The organization, by its `_id`" },
];

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<string>) => {
  convertV2({ type: "string", data }, OPTIONS, (error, result) => {
    const [output] = result?.output ?? [];
    const conversion: Conversion =
      output && !error
        ? { ok: true, collection: JSON.stringify(finished(output.data)) }
        : { ok: false, reason: error?.message ?? result?.reason ?? "no output" };
    self.postMessage(conversion);
  });
};

function finished(collection: Collection): Collection {
  for (const item of items(collection)) {
    for (const variable of item.request?.url?.variable ?? [])
      if (variable.key === "orgId") variable.value = "{{orgId}}";
  }
  return { ...collection, variable: [...(collection.variable ?? []), ...VARIABLES] };
}

const items = (parent: Item): Item[] => (parent.item ?? []).flatMap((item) => [item, ...items(item)]);
