/** Names of a rule's conditions. */
import type { Words } from "../../words";

export const frConditions: Words["conditions"] = {
  platform: "Plateforme",
  deviceTypes: "Appareil",
  browsers: "Navigateur",
  deviceVendors: "Marque",
  deviceModels: "Modèle",
  countries: "Pays",
  regions: "Région",
  cities: "Ville",
  languages: "Langue",
  minOsVersion: "Système à partir de",
  maxOsVersion: "Système jusqu’à",
  startTime: "À partir de (heure)",
  endTime: "Jusqu’à (heure)",
  daysOfWeek: "Jour de la semaine",
  after: "À partir du (date)",
  before: "Jusqu’au (date)",
  query: "Paramètre d’URL",
  referrers: "Référent",
  addresses: "Adresse IP",
};
