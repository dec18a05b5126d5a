/** Names of a rule's conditions. */
import type { Words } from "../../words";

export const nlConditions: Words["conditions"] = {
  platform: "Platform",
  deviceTypes: "Apparaat",
  browsers: "Browser",
  deviceVendors: "Fabrikant",
  deviceModels: "Model",
  countries: "Land",
  regions: "Regio",
  cities: "Stad",
  languages: "Taal",
  minOsVersion: "Systeemversie vanaf",
  maxOsVersion: "Systeemversie tot en met",
  startTime: "Vanaf (tijdstip)",
  endTime: "Tot (tijdstip)",
  daysOfWeek: "Dag van de week",
  after: "Vanaf (datum)",
  before: "Tot (datum)",
  query: "Queryparameter",
  referrers: "Verwijzer",
  addresses: "IP-adres",
};
