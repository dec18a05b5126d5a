CREATE TABLE "periodic_jobs" (
	"name" text PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"leased_by" uuid,
	"leased_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "raw_retention" (
	"org_id" uuid PRIMARY KEY NOT NULL,
	"kept_from" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "figure_values" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "figure_values_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"dimension" smallint NOT NULL,
	"value" text NOT NULL,
	CONSTRAINT "figure_values_value" UNIQUE("dimension","value")
);
--> statement-breakpoint
CREATE TABLE "figures_daily" (
	"org_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"day" timestamp (3) with time zone NOT NULL,
	"is_bot" boolean NOT NULL,
	"writer" integer NOT NULL,
	"clicks" integer NOT NULL,
	"opens" integer NOT NULL,
	"counts" "bytea" NOT NULL,
	"visitors" "bytea",
	CONSTRAINT "figures_daily_pk" PRIMARY KEY("org_id","link_id","day","is_bot","writer")
) WITH (fillfactor = 70);
--> statement-breakpoint
CREATE TABLE "figures_hourly" (
	"org_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"is_bot" boolean NOT NULL,
	"writer" integer NOT NULL,
	"clicks" integer NOT NULL,
	"opens" integer NOT NULL,
	"counts" "bytea" NOT NULL,
	"visitors" "bytea",
	CONSTRAINT "figures_hourly_pk" PRIMARY KEY("org_id","link_id","hour","is_bot","writer")
) WITH (fillfactor = 70);
--> statement-breakpoint
-- Packed bytes do not get smaller.
ALTER TABLE "figures_daily" ALTER COLUMN "counts" SET STORAGE EXTERNAL, ALTER COLUMN "visitors" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "figures_hourly" ALTER COLUMN "counts" SET STORAGE EXTERNAL, ALTER COLUMN "visitors" SET STORAGE EXTERNAL;--> statement-breakpoint
-- What is there already is carried over: packed as core/counts and figure-keys say.
CREATE FUNCTION waymark_packed(number bigint) RETURNS bytea LANGUAGE plpgsql IMMUTABLE AS $$
declare packed bytea := ''; rest bigint := number;
begin
  while rest >= 128 loop
    packed := packed || set_byte('\x00'::bytea, 0, ((rest & 127) | 128)::int);
    rest := rest >> 7;
  end loop;
  return packed || set_byte('\x00'::bytea, 0, rest::int);
end $$;--> statement-breakpoint
CREATE FUNCTION waymark_dimension(metric text, dimension text) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
  select array_position(
    array['platform', 'country', 'city', 'device', 'browser', 'os', 'referrer', 'language', 'open_platform', 'open_source'],
    case when metric in ('opens', 'bot_opens') then 'open_' else '' end || dimension) - 1
$$;--> statement-breakpoint
INSERT INTO figure_values (dimension, value)
  SELECT DISTINCT waymark_dimension(metric, dimension), value FROM rollups_daily WHERE dimension <> 'total'
  UNION SELECT DISTINCT waymark_dimension(metric, dimension), value FROM rollups_hourly WHERE dimension <> 'total';
--> statement-breakpoint
INSERT INTO figures_hourly (org_id, link_id, hour, is_bot, writer, clicks, opens, counts, visitors)
  WITH keyed AS (
    SELECT rolled.org_id, link_id, hour, metric LIKE 'bot_%' AS is_bot, writer, count, values.id * 16 + values.dimension AS key
    FROM rollups_hourly rolled JOIN figure_values values
      ON values.dimension = waymark_dimension(metric, rolled.dimension) AND values.value = rolled.value
    WHERE count <> 0
  ), spaced AS (
    SELECT *, key - coalesce(lag(key) OVER (PARTITION BY org_id, link_id, hour, is_bot, writer ORDER BY key), 0) AS delta
    FROM keyed
  ), packed AS (
    SELECT org_id, link_id, hour, is_bot, writer,
      string_agg(waymark_packed(delta) || waymark_packed((count << 1) # (count >> 63)), ''::bytea ORDER BY key) AS counts
    FROM spaced GROUP BY org_id, link_id, hour, is_bot, writer
  ), totals AS (
    SELECT org_id, link_id, hour, metric LIKE 'bot_%' AS is_bot, writer,
      coalesce(sum(count) FILTER (WHERE metric LIKE '%clicks'), 0) AS clicks,
      coalesce(sum(count) FILTER (WHERE metric LIKE '%opens'), 0) AS opens
    FROM rollups_hourly WHERE dimension = 'total' GROUP BY 1, 2, 3, 4, 5
  )
  SELECT org_id, link_id, hour, is_bot, writer, coalesce(clicks, 0), coalesce(opens, 0), coalesce(counts, ''), sketch
  FROM totals FULL JOIN packed USING (org_id, link_id, hour, is_bot, writer)
    FULL JOIN visitor_sketches USING (org_id, link_id, hour, is_bot, writer);
--> statement-breakpoint
INSERT INTO figures_daily (org_id, link_id, day, is_bot, writer, clicks, opens, counts, visitors)
  WITH keyed AS (
    SELECT rolled.org_id, link_id, day, metric LIKE 'bot_%' AS is_bot, writer, count, values.id * 16 + values.dimension AS key
    FROM rollups_daily rolled JOIN figure_values values
      ON values.dimension = waymark_dimension(metric, rolled.dimension) AND values.value = rolled.value
    WHERE count <> 0
  ), spaced AS (
    SELECT *, key - coalesce(lag(key) OVER (PARTITION BY org_id, link_id, day, is_bot, writer ORDER BY key), 0) AS delta
    FROM keyed
  ), packed AS (
    SELECT org_id, link_id, day, is_bot, writer,
      string_agg(waymark_packed(delta) || waymark_packed((count << 1) # (count >> 63)), ''::bytea ORDER BY key) AS counts
    FROM spaced GROUP BY org_id, link_id, day, is_bot, writer
  ), totals AS (
    SELECT org_id, link_id, day, metric LIKE 'bot_%' AS is_bot, writer,
      coalesce(sum(count) FILTER (WHERE metric LIKE '%clicks'), 0) AS clicks,
      coalesce(sum(count) FILTER (WHERE metric LIKE '%opens'), 0) AS opens
    FROM rollups_daily WHERE dimension = 'total' GROUP BY 1, 2, 3, 4, 5
  )
  SELECT org_id, link_id, day, is_bot, writer, coalesce(clicks, 0), coalesce(opens, 0), coalesce(counts, ''), sketch
  FROM totals FULL JOIN packed USING (org_id, link_id, day, is_bot, writer)
    FULL JOIN visitor_sketches_daily USING (org_id, link_id, day, is_bot, writer);
--> statement-breakpoint
DROP FUNCTION waymark_packed(bigint);--> statement-breakpoint
DROP FUNCTION waymark_dimension(text, text);--> statement-breakpoint
DROP TABLE "rollups_hourly";--> statement-breakpoint
DROP TABLE "rollups_daily";--> statement-breakpoint
DROP TABLE "visitor_sketches";--> statement-breakpoint
DROP TABLE "visitor_sketches_daily";
