/** Every service whose links can be fetched from its API. */
import type { ApiSource } from "@/contract/links/import-api";
import type { LinkApi } from "./api";
import { bitlyApi } from "./bitly";
import { dubApi } from "./dub";
import { kuttApi } from "./kutt";
import { rebrandlyApi } from "./rebrandly";
import { shlinkApi } from "./shlink";
import { shortioApi } from "./shortio";
import { yourlsApi } from "./yourls";

export const LINK_APIS: Readonly<Record<ApiSource, LinkApi>> = {
  ...{ dub: dubApi, shlink: shlinkApi, bitly: bitlyApi, yourls: yourlsApi },
  ...{ kutt: kuttApi, shortio: shortioApi, rebrandly: rebrandlyApi },
};
