/** Every service that links can come from. */
import type { ImportSource } from "@/contract/links/imports";
import type { LinkOrigin } from "../source";
import { anyCsv } from "./any-csv";
import { bitly } from "./bitly";
import { dub } from "./dub";
import { firebase } from "./firebase";
import { kutt } from "./kutt";
import { rebrandly } from "./rebrandly";
import { shlink } from "./shlink";
import { shortio } from "./shortio";
import { sink } from "./sink";
import { waymark } from "./waymark";
import { yourls } from "./yourls";

export const SOURCES: Readonly<Record<ImportSource, LinkOrigin>> = {
  ...{ firebase, dub, shlink, bitly, yourls, kutt, sink, rebrandly, shortio },
  waymark,
  csv: anyCsv,
};
