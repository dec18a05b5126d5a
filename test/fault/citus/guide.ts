/** Reads commands from the guide, so that exactly these are run. */
const GUIDE = "src/http/docs/guide/scaling.md";

/** Returns the operator's commands below a heading, each split into words. */
export async function commandsBelow(heading: string): Promise<string[][]> {
  const typed = (await blocksBelow(heading, "console")).flatMap((block) => block.trim().split("\n"));
  return typed.map((line) => line.replace("bun run admin ", "").split(" "));
}

/** Returns the SQL statements below a heading. */
export async function statementsBelow(heading: string): Promise<string[]> {
  const blocks = await blocksBelow(heading, "sql");
  return blocks.flatMap((block) => block.split(";\n").filter((statement) => statement.trim() !== ""));
}

async function blocksBelow(heading: string, language: string): Promise<string[]> {
  const text = await Bun.file(GUIDE).text();
  const [, below = ""] = text.split(`### ${heading}\n`);
  const [section = ""] = below.split(/^##/m);
  const blocks = [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, named]) => named === language);
  if (blocks.length === 0) throw new Error(`The guide has no ${language} below ${heading}`);
  return blocks.map(([, , block = ""]) => block);
}
