DROP INDEX "clicks_org";--> statement-breakpoint
DROP INDEX "opens_org";--> statement-breakpoint
DROP INDEX "events_org";--> statement-breakpoint
ALTER TABLE "clicks" DROP CONSTRAINT "clicks_occurred_at_id_pk";--> statement-breakpoint
ALTER TABLE "opens" DROP CONSTRAINT "opens_occurred_at_id_pk";--> statement-breakpoint
ALTER TABLE "events" DROP CONSTRAINT "events_occurred_at_id_pk";--> statement-breakpoint
ALTER TABLE "clicks" ADD CONSTRAINT "clicks_org_id_occurred_at_id_pk" PRIMARY KEY("org_id","occurred_at","id");--> statement-breakpoint
ALTER TABLE "opens" ADD CONSTRAINT "opens_org_id_occurred_at_id_pk" PRIMARY KEY("org_id","occurred_at","id");--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_org_id_occurred_at_id_pk" PRIMARY KEY("org_id","occurred_at","id");--> statement-breakpoint
ALTER TABLE "clicks" ADD COLUMN "utc_offset" smallint;--> statement-breakpoint
ALTER TABLE "clicks" ADD COLUMN "link_version" integer;--> statement-breakpoint
ALTER TABLE "clicks" ADD COLUMN "address_key" bigint;--> statement-breakpoint
ALTER TABLE "clicks" ADD COLUMN "domain_id" uuid;--> statement-breakpoint
ALTER TABLE "clicks" ADD COLUMN "languages" text;