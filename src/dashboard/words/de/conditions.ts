/** Names of a rule's conditions. */
import type { Words } from "../../words";

export const deConditions: Words["conditions"] = {
  platform: "Plattform",
  deviceTypes: "Gerät",
  browsers: "Browser",
  deviceVendors: "Hersteller",
  deviceModels: "Modell",
  countries: "Land",
  regions: "Region",
  cities: "Stadt",
  languages: "Sprache",
  minOsVersion: "Systemversion ab",
  maxOsVersion: "Systemversion bis",
  startTime: "Ab (Uhrzeit)",
  endTime: "Bis (Uhrzeit)",
  daysOfWeek: "Wochentag",
  after: "Ab (Datum)",
  before: "Bis (Datum)",
  query: "URL-Parameter",
  referrers: "Referrer",
  addresses: "IP-Adresse",
};
