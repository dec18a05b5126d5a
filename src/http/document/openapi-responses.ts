import { ErrorBody } from "@/contract/schema";

/** Declares the Error body under each of these status codes, for a route's `response`. */
export const failures = <Status extends number>(...statuses: Status[]) =>
  Object.fromEntries(statuses.map((status) => [status, ErrorBody])) as {
    [Code in Status]: typeof ErrorBody;
  };
