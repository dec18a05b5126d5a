/** Names of a rule's conditions. */
import type { Words } from "../../words";

export const esConditions: Words["conditions"] = {
  platform: "Plataforma",
  deviceTypes: "Dispositivo",
  browsers: "Navegador",
  deviceVendors: "Fabricante",
  deviceModels: "Modelo",
  countries: "País",
  regions: "Región",
  cities: "Ciudad",
  languages: "Idioma",
  minOsVersion: "Sistema desde",
  maxOsVersion: "Sistema hasta",
  startTime: "Desde (hora)",
  endTime: "Hasta (hora)",
  daysOfWeek: "Día de la semana",
  after: "Desde (fecha)",
  before: "Hasta (fecha)",
  query: "Parámetro de URL",
  referrers: "Referencia",
  addresses: "Dirección IP",
};
