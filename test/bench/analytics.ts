/** `bun run bench:analytics`, whose parameters `analytics/main` has; in the end the writer's own measurement. */
import { analyticsOptions, measureAnalytics } from "./analytics/main";
import { measureWriter } from "./writer";

const INTERRUPTED = 130;

const options = analyticsOptions(process.argv.slice(2));
const measured = await measureAnalytics(options);
if (measured && options.only === "") await measureWriter();
process.exit(measured ? 0 : INTERRUPTED);
