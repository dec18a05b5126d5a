/** Returns the sum of all samples in `/metrics` with this name and these labels. Throws if the name is missing. */
export type Scraped = (name: string, labels?: Record<string, string>) => number;

const SAMPLE = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/;

/** Fetches `/metrics` once. The returned function reads from that response. */
export async function scrape(url: string, headers: Record<string, string> = {}): Promise<Scraped> {
  const response = await fetch(`${url}/metrics`, { headers, keepalive: false });
  if (!response.ok) throw new Error(`/metrics answered ${response.status}`);
  const samples = samplesOf(await response.text());
  return (name, labels = {}) => {
    const named = samples.filter((sample) => sample.name === name);
    if (named.length === 0) throw new Error(`There is no ${name} in /metrics`);
    const fitting = named.filter((sample) =>
      Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    );
    return fitting.reduce((sum, { value }) => sum + value, 0);
  };
}

export function samplesOf(text: string): { name: string; labels: Record<string, string>; value: number }[] {
  return text.split("\n").flatMap((line) => {
    const [, name = "", labels = "", value = ""] = SAMPLE.exec(line) ?? [];
    if (name === "") return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = "", text = ""]) => [key, text]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}
