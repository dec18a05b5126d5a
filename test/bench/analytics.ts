/** `bun run bench:analytics`; `analytics/main.ts` has the parameters. Without `--only` it then measures the writer. */
import { analyticsOptions, measureAnalytics } from "./analytics/main";
import { measureWriter } from "./writer";

const INTERRUPTED = 130;

const options = analyticsOptions(process.argv.slice(2));
const measured = await measureAnalytics(options);
if (measured && options.only === "") await measureWriter();
process.exit(measured ? 0 : INTERRUPTED);
