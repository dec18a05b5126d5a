/** Names of a rule's conditions. */
import type { Words } from "../../words";

export const ptConditions: Words["conditions"] = {
  platform: "Plataforma",
  deviceTypes: "Dispositivo",
  browsers: "Navegador",
  deviceVendors: "Fabricante",
  deviceModels: "Modelo",
  countries: "País",
  regions: "Região",
  cities: "Cidade",
  languages: "Idioma",
  minOsVersion: "Sistema a partir de",
  maxOsVersion: "Sistema até",
  startTime: "De (hora)",
  endTime: "Até (hora)",
  daysOfWeek: "Dia da semana",
  after: "De (data)",
  before: "Até (data)",
  query: "Parâmetro da URL",
  referrers: "Referência",
  addresses: "Endereço IP",
};
