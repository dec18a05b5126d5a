CREATE TABLE "leader_days" (
	"org_id" uuid NOT NULL,
	"day" timestamp (3) with time zone NOT NULL,
	"version" text NOT NULL,
	"links" "bytea" NOT NULL,
	"clicks" "bytea" NOT NULL,
	"rest" integer NOT NULL,
	CONSTRAINT "leader_days_org_id_day_pk" PRIMARY KEY("org_id","day")
);
--> statement-breakpoint
-- Ids do not get smaller.
ALTER TABLE "leader_days" ALTER COLUMN "links" SET STORAGE EXTERNAL;
