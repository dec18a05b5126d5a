/**
 * One table of routing cases, run through every entry point ("door"): the core, the preview, the redirect and
 * resolve. The cases are in `routing-cases/`, by subject.
 */
import { destinationCases } from "./routing-cases/destinations";
import { handheldCases } from "./routing-cases/handhelds";
import { languageCases } from "./routing-cases/languages";
import { machineCases } from "./routing-cases/machines";
import { nameCases } from "./routing-cases/names";
import { orderCases } from "./routing-cases/order";
import { requestCases } from "./routing-cases/requests";
import { finish, type RoutingCase } from "./routing-cases/shape";
import { splitCases } from "./routing-cases/splits";
import { storeCases } from "./routing-cases/stores";
import { timeCases } from "./routing-cases/times";
import { versionCases } from "./routing-cases/versions";
import { zoneCases } from "./routing-cases/zones";

export { definitionOf, type EntryPoint, factsOf, pickOf, type RoutingCase } from "./routing-cases/shape";

export const routingCases: readonly RoutingCase[] = [
  ...handheldCases,
  ...machineCases,
  ...nameCases,
  ...languageCases,
  ...versionCases,
  ...timeCases,
  ...zoneCases,
  ...requestCases,
  ...orderCases,
  ...splitCases,
  ...destinationCases,
  ...storeCases,
].map(finish);
