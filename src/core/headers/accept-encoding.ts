/** True if `Accept-Encoding` allows the coding: by name or by `*`, and not with a quality of 0 (RFC 9110, 12.5.3). */
export function acceptsCoding(acceptEncoding: string | null, coding: "br" | "gzip"): boolean {
  const listed = (acceptEncoding ?? "")
    .toLowerCase()
    .split(",")
    .map((element) => element.split(";").map((part) => part.trim()));
  const found = listed.find(([name]) => name === coding) ?? listed.find(([name]) => name === "*");
  return found !== undefined && !found.some((part) => /^q=0(?:\.0*)?$/.test(part));
}
