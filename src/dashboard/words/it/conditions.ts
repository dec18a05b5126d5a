/** Names of a rule's conditions. */
import type { Words } from "../../words";

export const itConditions: Words["conditions"] = {
  platform: "Piattaforma",
  deviceTypes: "Dispositivo",
  browsers: "Browser",
  deviceVendors: "Produttore",
  deviceModels: "Modello",
  countries: "Paese",
  regions: "Regione",
  cities: "Città",
  languages: "Lingua",
  minOsVersion: "Sistema da",
  maxOsVersion: "Sistema fino a",
  startTime: "Dalle (ora)",
  endTime: "Alle (ora)",
  daysOfWeek: "Giorno della settimana",
  after: "Dal (data)",
  before: "Al (data)",
  query: "Parametro URL",
  referrers: "Referrer",
  addresses: "Indirizzo IP",
};
