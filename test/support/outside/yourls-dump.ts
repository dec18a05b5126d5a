/** Dumps of YOURLS's database as mysqldump writes them, with tables in alphabetical order. */
const URL_TABLE = `CREATE TABLE \`yourls_url\` (
  \`keyword\` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  \`url\` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  \`title\` text COLLATE utf8mb4_unicode_ci,
  \`timestamp\` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP,
  \`ip\` varchar(41) COLLATE utf8mb4_unicode_ci NOT NULL,
  \`clicks\` int unsigned NOT NULL,
  PRIMARY KEY (\`keyword\`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
`;
const LOG_TABLE = `CREATE TABLE \`yourls_log\` (
  \`click_id\` int NOT NULL AUTO_INCREMENT,
  \`click_time\` datetime NOT NULL,
  \`shorturl\` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  \`referrer\` varchar(200) NOT NULL,
  \`user_agent\` varchar(255) NOT NULL,
  \`ip_address\` varchar(41) NOT NULL,
  \`country_code\` char(2) NOT NULL,
  PRIMARY KEY (\`click_id\`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4;
`;
const HEAD = `-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
-- Host: localhost    Database: yourls
/*!50503 SET NAMES utf8mb4 */;
/*!40103 SET TIME_ZONE='+00:00' */;
`;
const OPTIONS = `CREATE TABLE \`yourls_options\` (\`option_id\` bigint, \`option_name\` varchar(64), \`option_value\` longtext);
INSERT INTO \`yourls_options\` VALUES (1,'active_plugins','a:1:{i:0;s:9:\\"a; (\\'b\\')\\";}');
`;
const ROWS_PER_INSERT = 500;

export type DumpValues = readonly (string | number | null)[];

export const yourlsDump = ({
  links,
  clicks,
}: {
  links: readonly DumpValues[];
  clicks: readonly DumpValues[];
}): string =>
  `${HEAD}${LOG_TABLE}${inserts("yourls_log", clicks)}${OPTIONS}${URL_TABLE}${inserts("yourls_url", links)}` +
  "-- Dump completed on 2024-05-01 12:00:00\n";

function inserts(table: string, rows: readonly DumpValues[]): string {
  let text = "";
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    const written = rows.slice(from, from + ROWS_PER_INSERT).map((values) => `(${values.map(literal).join()})`);
    text += `INSERT INTO \`${table}\` VALUES ${written.join()};\n`;
  }
  return text;
}

const literal = (value: string | number | null): string =>
  typeof value === "string" ? `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'` : String(value ?? "NULL");
