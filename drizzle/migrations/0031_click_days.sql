CREATE TABLE "click_days" (
	"org_id" uuid NOT NULL,
	"day" timestamp (3) with time zone NOT NULL,
	"part" smallint NOT NULL,
	"version" text NOT NULL,
	"packed" "bytea" NOT NULL,
	CONSTRAINT "click_days_org_id_day_part_pk" PRIMARY KEY("org_id","day","part")
);
--> statement-breakpoint
-- Compressed already.
ALTER TABLE "click_days" ALTER COLUMN "packed" SET STORAGE EXTERNAL;
